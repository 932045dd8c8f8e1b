package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.QueuesInUse;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Backoff;
import io.onbeat.schedule.RetryPolicy;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The queues that the ledger knows of, each with the delays that its schedules' retry policies and the default one have. */
final class KnownQueues {
    private KnownQueues() {}

    static SortedMap<String, SortedSet<Duration>> withDelays(Ledger ledger) throws SQLException {
        SortedMap<String, SortedSet<Duration>> queues = new TreeMap<>();
        try (Connection connection = ledger.connection()) {
            for (String queue : QueuesInUse.all(connection)) {
                add(queues, queue, RetryPolicy.DEFAULT);
            }
            for (Schedules.Row row : Schedules.all(connection)) {
                if (!row.removed()) {
                    Schedule spec = Schedule.fromJson(row.name(), row.spec());
                    add(queues, spec.queue(), spec.retry());
                }
            }
        }
        return queues;
    }

    private static void add(SortedMap<String, SortedSet<Duration>> queues, String queue, RetryPolicy retry) {
        SortedSet<Duration> delays = queues.computeIfAbsent(queue, q -> new TreeSet<>());
        // delays that grow by a factor wait in the ledger
        if (retry.backoff() instanceof Backoff.Ladder ladder) {
            delays.addAll(ladder.delays());
        }
    }
}
