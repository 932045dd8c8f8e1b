package io.onbeat.ledger;

import static io.onbeat.ledger.LedgerRuns.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Overlap: queue. One run of the schedule at a time, in the order of the fire times. */
class PromotionTest {
    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final LedgerRuns runs = new LedgerRuns(ledger);

    @BeforeEach
    void atNoon() {
        test.setClock(Instant.parse("2026-07-14T12:00:00Z"));
        test.execute(
                "insert into schedule (name, spec, hash, rule_hash, watermark) values ('s', '{}', '', '', clock())");
    }

    @AfterEach
    void close() {
        test.close();
    }

    private static NewRun serial(int minute, boolean waiting) {
        Instant fireAt = Instant.parse("2026-07-14T02:00:00Z").plus(Duration.ofMinutes(minute));
        return new NewRun(
                "s@" + fireAt,
                Optional.of(1),
                Optional.of("s"),
                "noop",
                "default",
                Origin.SCHEDULE,
                fireAt,
                "{}",
                Duration.ofMinutes(5),
                "{\"max_attempts\":3}",
                3,
                true,
                waiting,
                Optional.empty(),
                Optional.empty());
    }

    private void insert(int count) throws SQLException {
        List<NewRun> all = new ArrayList<>();
        for (int i = count - 1; i >= 0; i--) {
            all.add(serial(i, i > 0));
        }
        ledger.transaction(connection -> Runs.insert(connection, all));
    }

    private ClaimedRun claimNext() throws SQLException {
        List<String> queued =
                test.texts("select id || ' ' || attempt + 1 || ' ' || key from run where state = 'queued'");
        assertThat(queued).hasSize(1);
        String[] parts = queued.get(0).split(" ", 3);
        return runs.claimed(new Attempt(Long.parseLong(parts[0]), parts[2], Integer.parseInt(parts[1])));
    }

    @Test
    void each_end_sets_the_next_one_going_in_the_order_of_the_fire_times() throws SQLException {
        insert(4);
        List<Settlement> ends = new ArrayList<>();
        ClaimedRun first = claimNext();
        Settlements.settle(ledger, List.of(Settlement.succeeded(first, Optional.empty())));
        ClaimedRun second = claimNext();
        Settlements.settle(ledger, List.of(Settlement.dead(second, failure("x"))));
        ClaimedRun third = claimNext();
        ends.add(Settlement.retrying(third, failure("x"), Duration.ofSeconds(5), Duration.ofSeconds(5)));
        Settlements.settle(ledger, ends);
        assertThat(test.texts("select state from run order by fire_at"))
                .containsExactly("succeeded", "dead", "retrying", "waiting");
        assertThat(List.of(first.fireAt(), second.fireAt(), third.fireAt())).isSorted();
    }

    @Test
    void recovery_promotes_what_an_end_without_a_worker_left_waiting() throws SQLException {
        insert(2);
        ledger.transaction(c -> Cancellations.cancel(c, "s@2026-07-14T02:00:00Z"));
        int promoted = ledger.transaction(Recovery::promote);
        int again = ledger.transaction(Recovery::promote);
        assertThat(promoted).isEqualTo(1);
        assertThat(again).isZero();
        assertThat(test.texts("select state from run order by fire_at")).containsExactly("cancelled", "queued");
    }

    @Test
    void a_replayed_run_waits_while_another_is_active_and_of_several_one_goes_first() throws SQLException {
        insert(3);
        test.execute("update run set state = 'dead', open = false, attempt = 1");
        List<Replays.DeadRun> dead = new ArrayList<>();
        test.texts("select id::text from run order by id desc")
                .forEach(id -> dead.add(new Replays.DeadRun(Long.parseLong(id), 1)));
        List<Long> replayed = ledger.transaction(c -> Replays.replay(c, dead));
        assertThat(replayed).hasSize(3);
        assertThat(test.texts("select state from run order by fire_at"))
                .containsExactly("queued", "waiting", "waiting");
    }

    @Test
    void promotions_from_many_sides_at_once_never_make_two_active() throws Exception {
        insert(60);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 60; i++) {
                ClaimedRun run = claimNext();
                Callable<Object> settle =
                        () -> Settlements.settle(ledger, List.of(Settlement.succeeded(run, Optional.empty())));
                Callable<Object> recover = () -> ledger.transaction(Recovery::promote);
                for (Future<Object> done : pool.invokeAll(List.of(settle, recover, recover))) {
                    done.get();
                }
                assertThat(test.number("select count(*) from run where open and state <> 'waiting'"))
                        .isEqualTo(i < 59 ? 1 : 0);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(test.texts("select state || ' ' || count(*) from run group by state"))
                .containsExactly("succeeded 60");
        assertThat(test.number("select count(*) from outbox")).isEqualTo(59);
    }
}
