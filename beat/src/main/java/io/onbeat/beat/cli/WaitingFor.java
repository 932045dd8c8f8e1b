package io.onbeat.beat.cli;

import io.onbeat.ledger.RunView;
import io.onbeat.ledger.TaskLimits;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a waiting run waits for. */
final class WaitingFor {
    private WaitingFor() {}

    /** One word for programs. */
    static Optional<String> word(RunView run) {
        return run.state() == RunState.WAITING
                ? Optional.of(run.forPermit() ? "max_concurrency" : "overlap")
                : Optional.empty();
    }

    static Optional<String> phrase(Connection connection, RunView run) throws SQLException {
        if (run.forPermit()) {
            return Optional.of("for a permit: " + permits(run.task(), TaskLimits.all(connection)));
        }
        return word(run).map(overlap -> "for the run before it to end (overlap: queue)");
    }

    /** A line for each task whose runs wait for a permit. */
    static List<String> lines(Connection connection, Collection<RunView> runs) throws SQLException {
        Map<String, Long> waiting = runs.stream()
                .filter(RunView::forPermit)
                .collect(Collectors.groupingBy(RunView::task, TreeMap::new, Collectors.counting()));
        if (waiting.isEmpty()) {
            return List.of();
        }
        Map<String, Integer> limits = TaskLimits.all(connection);
        return waiting.entrySet().stream()
                .map(entry -> entry.getValue() + (entry.getValue() == 1 ? " run waits" : " runs wait")
                        + " for a permit: " + permits(entry.getKey(), limits))
                .toList();
    }

    private static String permits(String task, Map<String, Integer> limits) {
        return Optional.ofNullable(limits.get(task))
                .map(limit -> "at most " + limit + (limit == 1 ? " run" : " runs") + " of task " + task
                        + " may run at once (max_concurrency)")
                .orElse("task " + task + " has no limit any more, and its runs follow within seconds");
    }
}
