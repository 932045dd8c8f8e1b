package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Replays;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.Sql;
import io.onbeat.ledger.TestLedger;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever makes a run active waits for a fire that is not committed yet, and then sees its run. */
class OverlapLockTest {
    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        other.shutdownNow();
        test.close();
    }

    private void load(String overlap) {
        test.setClock(Instant.parse("2026-07-14T12:30:00Z"));
        new HandDrivenBeat(test, "a")
                .with("schedules: {sync: {every: 1h, task: noop, overlap: " + overlap + "}}")
                .pass();
        test.setClock(Instant.parse("2026-07-14T13:00:00Z"));
    }

    /** Fires what is due, and commits when {@code meanwhile} waits for a lock, or is done without having waited. */
    private <T> T whileFiring(Callable<T> meanwhile) throws Exception {
        try (Connection connection = ledger.connection()) {
            connection.setAutoCommit(false);
            Sql.update(connection, "set local idle_in_transaction_session_timeout = 0");
            Schedules.Row row = Schedules.named(connection, List.of("sync")).get(0);
            ActiveSchedule schedule = ActiveSchedule.of(row, Schedule.fromJson("sync", row.spec()));
            FireTransaction.write(connection, List.of(Judge.judge(schedule, test.now(), 10)));
            Future<T> answer = other.submit(meanwhile);
            await().atMost(Duration.ofSeconds(30)).until(() -> answer.isDone() || somebodyWaits());
            connection.commit();
            connection.setAutoCommit(true);
            return answer.get();
        }
    }

    private boolean somebodyWaits() {
        return test.number("select count(*) from pg_locks where not granted") > 0;
    }

    private List<String> active() {
        return test.texts("select key || ' ' || state from run where open order by fire_at, id");
    }

    @Test
    void a_run_by_hand_does_not_start_beside_a_fire() throws Exception {
        load("skip");

        RunNow.Outcome outcome =
                whileFiring(() -> new RunNow(ledger).trigger("sync", Optional.empty(), Optional.of("by-hand"), "test"));

        assertThat(active()).containsExactly("sync@2026-07-14T13:00:00Z queued");
        assertThat(outcome).isEqualTo(new RunNow.Outcome.Overlapping("sync@2026-07-14T13:00:00Z"));
    }

    @Test
    void a_replay_waits_for_a_fire() throws Exception {
        load("queue");
        long dead = deadRun();

        whileFiring(() ->
                ledger.transaction(connection -> Replays.replay(connection, List.of(new Replays.DeadRun(dead, 3)))));

        assertThat(active()).containsExactly("sync@2026-07-14T12:00:00Z waiting", "sync@2026-07-14T13:00:00Z queued");
    }

    private long deadRun() throws SQLException {
        test.execute("""
                insert into run (key, schedule_id, schedule, task, queue, origin, fire_at, args, timeout_ms, retry, max_attempts,
                                 serial, state, open, attempt, failures, queued_at)
                select 'sync@2026-07-14T12:00:00Z', id, 'sync', 'noop', 'default', 'schedule', '2026-07-14T12:00:00Z', '{}',
                       1000, '{"max_attempts":3}', 3, true, 'dead', false, 3, 3, clock() from schedule""");
        return test.number("select id from run");
    }
}
