package io.onbeat.beat.cli;

import io.onbeat.ledger.DeadRuns;
import io.onbeat.ledger.DeadRuns.DeadRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "discard",
        description =
                "Put dead runs aside for good: their state becomes cancelled, their error stays on record, and their messages"
                        + " leave the dead queue. A discarded run cannot be replayed.",
        footer = {"", "Example:", "  onbeat dead discard --schedule flaky-sync"})
final class DeadDiscardCommand extends DeadAction {
    DeadDiscardCommand() {
        super("discard", "discarded");
    }

    @Override
    List<Long> move(Connection connection, List<DeadRun> runs) throws SQLException {
        return DeadRuns.discard(connection, runs);
    }
}
