package io.onbeat.beat.fire;

import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Runs;
import io.onbeat.run.Origin;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Overlap;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs that people ask for: run now and backfill. They know neither jitter nor expiry, and go by way of the outbox. */
final class HandMade {
    private HandMade() {}

    static NewRun run(
            Schedule spec,
            int scheduleId,
            RunKey key,
            Origin origin,
            Instant fireTime,
            String args,
            Overlap overlap,
            boolean waiting) {
        return new NewRun(
                key.value(),
                Optional.of(scheduleId),
                Optional.of(spec.name()),
                spec.task(),
                spec.queue(),
                origin,
                fireTime,
                args,
                spec.timeout(),
                spec.retry().toJson(),
                spec.retry().maxAttempts(),
                overlap == Overlap.QUEUE,
                waiting,
                Optional.empty(),
                Optional.empty());
    }

    /** @return how many of them are new */
    static int write(Connection connection, List<NewRun> runs) throws SQLException {
        Map<String, Long> ids = Runs.insert(connection, runs);
        List<Long> ready = runs.stream()
                .filter(run -> !run.waiting() && ids.containsKey(run.key()))
                .map(run -> ids.get(run.key()))
                .sorted()
                .toList();
        Outbox.add(connection, Outbox.Kind.TASK, ready);
        return ids.size();
    }
}
