package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Audit;
import io.onbeat.ledger.DeadRuns.DeadRun;
import io.onbeat.ledger.Ledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;

/** Ends the death of runs: first in the ledger, which decides, then in the dead queues, where nothing depends on it. */
abstract class DeadAction extends LedgerCommand {
    private static final int BATCH = 500;

    private final String word;
    private final String done;

    @Mixin
    private DeadSelection selection;

    /** @param done the word for what has been done */
    DeadAction(String word, String done) {
        this.word = word;
        this.done = done;
    }

    /** Moves those on that are still as they were found; returns the ids of these. */
    abstract List<Long> move(Connection connection, List<DeadRun> runs) throws SQLException;

    @Override
    final void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        List<DeadRun> found = selection.find(ledger);
        List<DeadRun> moved = new ArrayList<>();
        for (int from = 0; from < found.size(); from += BATCH) {
            List<DeadRun> batch = found.subList(from, Math.min(found.size(), from + BATCH));
            moved.addAll(ledger.transaction(connection -> move(batch, connection)));
        }
        DeadMessages.Outcome messages = DeadMessages.remove(servers.broker(), moved);
        print(output, found, moved, messages);
    }

    private List<DeadRun> move(List<DeadRun> batch, Connection connection) throws SQLException {
        Set<Long> ids = new HashSet<>(move(connection, batch));
        List<DeadRun> moved =
                batch.stream().filter(run -> ids.contains(run.id())).toList();
        Audit.recordAll(
                connection, actor(), word, moved.stream().map(DeadRun::key).toList());
        return moved;
    }

    private void print(Output output, List<DeadRun> found, List<DeadRun> moved, DeadMessages.Outcome messages) {
        List<String> keys = moved.stream().map(DeadRun::key).toList();
        if (keys.size() == 1) {
            output.line(done + " " + keys.get(0));
        } else {
            output.line(found.isEmpty() ? "no dead run is of that kind" : done + " " + keys.size() + " runs");
        }
        if (moved.size() < found.size()) {
            output.line((found.size() - moved.size()) + " were dead no more when their turn came");
        }
        messages.note().ifPresent(output::line);
        output.answer(new Fields()
                .add(done, keys)
                .add("dead_messages_removed", messages.removed())
                .add("note", messages.note())
                .values());
    }
}
