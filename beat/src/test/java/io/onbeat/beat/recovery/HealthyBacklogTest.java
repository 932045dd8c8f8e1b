package io.onbeat.beat.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.TestBroker;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.TestLedger;
import io.onbeat.ledger.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A backlog that takes workers ten minutes, with the clock turned by hand: what only waits is not taken for lost. */
class HealthyBacklogTest {
    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(4);
    private static final int PASSES = 150;
    private static final int RUNS = 9_000;
    private static final int CLAIMED_IN_BETWEEN = RUNS / PASSES;

    private final TestLedger test = new TestLedger();
    private final TestBroker broker;
    private final AtomicLong nanos = new AtomicLong();

    HealthyBacklogTest() throws Exception {
        broker = new TestBroker();
        test.setClock(Instant.parse("2026-07-14T12:00:00Z"));
        broker.channel().queueDeclare("onbeat.task.default", true, false, false, Map.of("x-queue-type", "quorum"));
        broker.channel().basicPublish("", "onbeat.task.default", null, new byte[] {1});
    }

    @AfterEach
    void close() {
        broker.close();
        test.close();
    }

    // queued in batches over twenty seconds, and published with up to five seconds of disorder
    private void queueBacklog() {
        test.execute("create table place (run_id bigint primary key, place bigint)");
        test.execute("""
                insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, queued_at)
                select 'r' || n, 'noop', 'default', 'outside', clock(), 60000, 3, 'queued', clock() + n / 90 * interval '200 ms'
                from generate_series(0, ? - 1) as n""", RUNS);
        test.execute("""
                insert into place select id, row_number() over (
                    order by queued_at + hashint8(id / 50) % 5000 * interval '1 ms', id) from run""");
    }

    @Test
    void a_backlog_of_ten_minutes_is_not_published_again() throws Exception {
        Leader.Term term =
                Leader.acquire(test.ledger(), "beat", Duration.ofHours(1)).orElseThrow();
        queueBacklog();
        try (RecoveryLoop recovery = new RecoveryLoop(
                test.ledger(),
                broker.settings(),
                Duration.ofSeconds(30),
                Duration.ofDays(30),
                () -> Optional.of(term),
                nanos::get)) {
            test.advanceClock(Duration.ofSeconds(20));
            for (int pass = 1; pass <= PASSES; pass++) {
                nanos.addAndGet(BETWEEN_PASSES.toNanos());
                test.advanceClock(BETWEEN_PASSES);
                claimUpTo(pass * CLAIMED_IN_BETWEEN);
                recovery.pass();
            }
        }
        assertThat(test.number("select count(*) from run where open")).isZero();
        assertThat(test.number("select sum(republished) from run")).isZero();
    }

    private void claimUpTo(int place) throws Exception {
        test.execute("""
                update run set state = 'succeeded', open = false, finished_at = clock()
                from place where place.run_id = run.id and place.place <= ? and run.open""", place);
        String newest = test.texts("""
                        select to_json(max(queued_at))::text from run join place on run_id = id where place <= ?""", place).get(0);
        Workers.report(
                test.ledger(),
                new Workers.Identity("w", "h", 1, "0", "{}", "[]"),
                "up",
                new Workers.Counts(1, 1, 0, 0, 0, 0, "{\"default\": " + newest + "}"));
    }
}
