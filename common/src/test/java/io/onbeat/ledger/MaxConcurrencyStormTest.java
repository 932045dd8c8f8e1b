package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.Attempt;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Claims, ends, lost leases and recovery from many sides at once never have more runs of a task running than its limit says. */
class MaxConcurrencyStormTest {
    private static final int RUNS = 150;
    private static final int LIMIT = 3;
    private static final long SEED = 20260714;

    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();

    @Test
    void neverMoreThanTheLimitAreRunningAndAllSucceed() throws Exception {
        try (test) {
            // seen by every change of a run itself, with what is committed and what its own transaction wrote
            test.execute("create table seen (running bigint)");
            test.execute("""
                    create function look() returns trigger language plpgsql as $$ begin
                        insert into seen select count(*) from run where state = 'running' and task = 'noop';
                        return null;
                    end $$""");
            test.execute("create trigger look after update on run for each statement execute function look()");
            ledger.transaction(connection -> TaskLimits.put(connection, java.util.Map.of("noop", LIMIT)));
            List<NewRun> all = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                all.add(MaxConcurrencyTest.run(
                        "r" + i,
                        Optional.empty(),
                        Instant.parse("2026-07-14T02:00:00Z").plusSeconds(i),
                        false));
            }
            ledger.transaction(connection -> Runs.insert(connection, all));
            test.execute("update run set expires_at = null, max_attempts = 1000");

            AtomicBoolean ended = new AtomicBoolean();
            List<Callable<Void>> sides = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Random random = new Random(SEED + i);
                sides.add(() -> work(random, ended));
            }
            sides.add(() -> recover(ended));
            ExecutorService pool = Executors.newFixedThreadPool(sides.size());
            try {
                for (Future<Void> side : pool.invokeAll(sides)) {
                    side.get();
                }
            } finally {
                pool.shutdownNow();
            }
            assertThat(test.texts("select state || ' ' || count(*) from run group by state"))
                    .containsExactly("succeeded " + RUNS);
            assertThat(test.number("select max(running) from seen")).isEqualTo(LIMIT);
            assertThat(test.number("select count(*) from attempt where outcome = 'lost'"))
                    .as("leases that were lost")
                    .isPositive();
        }
    }

    /** A worker: takes what is queued in batches, and settles it, or is killed before that. */
    private Void work(Random random, AtomicBoolean ended) throws SQLException {
        while (!ended.get()) {
            List<Claims.Wish> wishes = new ArrayList<>();
            try (Connection connection = ledger.connection()) {
                Sql.list(
                        connection,
                        "select id, key, attempt from run where open and state in ('queued', 'retrying') order by random() limit 5",
                        row -> wishes.add(new Claims.Wish(
                                new Attempt(row.getLong(1), row.getString(2), row.getInt(3) + 1), UUID.randomUUID())));
            }
            boolean killed = random.nextInt(6) == 0;
            Duration lease = killed ? Duration.ofMillis(20) : Duration.ofSeconds(30);
            List<Settlement> ends = new ArrayList<>();
            for (ClaimResult result : Claims.claim(ledger, "w", lease, wishes)) {
                if (result instanceof ClaimResult.Claimed claimed && !killed) {
                    ends.add(end(claimed.run(), random.nextInt(5)));
                }
            }
            if (!ends.isEmpty()) {
                Settlements.settle(ledger, ends);
            }
        }
        return null;
    }

    private static Settlement end(ClaimedRun run, int how) {
        return switch (how) {
            case 0 -> Settlement.retrying(run, LedgerRuns.failure("x"), Duration.ZERO, Duration.ZERO);
            case 1 -> Settlement.released(run);
            default -> Settlement.succeeded(run, Optional.empty());
        };
    }

    private Void recover(AtomicBoolean ended) throws SQLException {
        try {
            while (test.number("select count(*) from run where open") > 0) {
                ledger.transaction(connection -> Recovery.endLapsedLeases(connection, 10));
                ledger.transaction(Recovery::promote);
            }
        } finally {
            ended.set(true);
        }
        return null;
    }
}
