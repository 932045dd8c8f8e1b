package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Audit;
import io.onbeat.ledger.Cancellations;
import io.onbeat.ledger.Ledger;
import io.onbeat.run.RunState;
import java.sql.SQLException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = {
            "Cancel a run: at once where it is not running. A running task is interrupted when its worker next renews its"
                    + " leases, a few seconds later.",
            "A dead run is put aside with onbeat dead discard."
        },
        footer = {"", "Example:", "  onbeat cancel settle-points@2026-07-14T02:00:00Z"})
final class CancelCommand extends LedgerCommand {
    @Parameters(index = "0", paramLabel = "KEY", description = "The run key.")
    private String key;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        Optional<RunState> before = ledger.transaction(connection -> {
            Optional<RunState> state = Cancellations.cancel(connection, key);
            if (state.isPresent() && state.get().open()) {
                Audit.record(connection, actor(), "cancel", key, null);
            }
            return state;
        });
        RunState was = before.orElseThrow(() -> KnownRuns.unknown(key));
        if (!was.open() && was != RunState.CANCELLED) {
            throw new Failed("nothing to cancel: " + key + " " + Ended.phrase(was));
        }
        RunState now = was == RunState.RUNNING ? was : RunState.CANCELLED;
        output.line(text(was));
        output.answer(new Fields()
                .add("key", key)
                .add("state", now.word())
                .add("state_before", was.word())
                .add("cancel_requested", true)
                .values());
    }

    private String text(RunState was) {
        return switch (was) {
            case RUNNING -> "asked for: " + key + " is running, and its worker interrupts it within seconds";
            case CANCELLED -> key + " was cancelled before";
            default -> "cancelled " + key + ", which was " + was.word();
        };
    }
}
