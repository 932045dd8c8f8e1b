package io.onbeat.beat.cli;

import io.onbeat.ledger.DeadRuns.DeadRun;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Replays;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "replay",
        description =
                "Run dead runs again, under their own keys, with their failures forgotten. Their messages leave the dead"
                        + " queue.",
        footer = {
            "",
            "Examples:",
            "  onbeat dead replay flaky-sync@2026-07-14T02:00:00Z",
            "  onbeat dead replay --schedule flaky-sync --error timeout"
        })
final class DeadReplayCommand extends DeadAction {
    DeadReplayCommand() {
        super("replay", "replayed");
    }

    @Override
    List<Long> move(Connection connection, List<DeadRun> runs) throws SQLException {
        List<Long> replayed = Replays.replay(
                connection,
                runs.stream()
                        .map(run -> new Replays.DeadRun(run.id(), run.attempt()))
                        .toList());
        Outbox.add(connection, Outbox.Kind.TASK, replayed);
        return replayed;
    }
}
