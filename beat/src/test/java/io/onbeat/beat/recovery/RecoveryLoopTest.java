package io.onbeat.beat.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.onbeat.beat.fire.TestBroker;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.LedgerRuns;
import io.onbeat.ledger.Settlement;
import io.onbeat.ledger.Settlements;
import io.onbeat.ledger.TestLedger;
import io.onbeat.ledger.Workers;
import io.onbeat.run.Attempt;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryLoopTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final TestLedger test = new TestLedger();
    private final TestBroker broker = new TestBroker();
    private final LedgerRuns runs = new LedgerRuns(test.ledger());
    private final AtomicLong nanos = new AtomicLong();
    private final Leader.Term term;
    private final RecoveryLoop recovery;

    RecoveryLoopTest() throws IOException, SQLException {
        test.setClock(Instant.parse("2026-07-14T12:00:00Z"));
        term = Leader.acquire(test.ledger(), "beat", Duration.ofHours(1)).orElseThrow();
        recovery = new RecoveryLoop(
                test.ledger(), broker.settings(), LEASE, Duration.ofDays(30), () -> Optional.of(term), nanos::get);
    }

    @BeforeEach
    void firstPass() throws SQLException {
        recovery.pass();
    }

    @AfterEach
    void close() throws IOException {
        recovery.close();
        broker.close();
        test.close();
    }

    private void pass(Duration later) throws SQLException {
        nanos.addAndGet(later.toNanos());
        test.advanceClock(later);
        recovery.pass();
    }

    private String state(String key) {
        return test.texts("select state from run where key = ?", key).get(0);
    }

    @Test
    void after_a_gap_in_reaching_the_ledger_every_lease_gets_its_full_time() throws SQLException {
        runs.claimed(runs.insert("a").get(0));
        for (int second = 0; second < 40; second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(state("a")).isEqualTo("queued");
        runs.claimed(new Attempt(test.number("select id from run where key = 'a'"), "a", 2));
        pass(Duration.ofSeconds(40));
        assertThat(state("a")).isEqualTo("running");
        for (int second = 0; second < 29; second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(state("a")).isEqualTo("running");
        pass(Duration.ofSeconds(2));
        assertThat(state("a")).isEqualTo("queued");
        assertThat(test.number("select failures from run")).isEqualTo(2);
    }

    @Test
    void a_retry_that_no_delay_queue_carries_is_published_when_it_is_due() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        Settlements.settle(
                test.ledger(),
                List.of(Settlement.retrying(
                        run, LedgerRuns.failure("x"), Duration.ofSeconds(37), Duration.ofSeconds(37))));
        pass(Duration.ofSeconds(36));
        assertThat(test.number("select count(*) from outbox")).isZero();
        pass(Duration.ofSeconds(1));
        assertThat(test.number("select count(*) from outbox")).isEqualTo(1);
        pass(Duration.ofSeconds(1));
        assertThat(test.number("select count(*) from outbox")).isEqualTo(1);
    }

    @Test
    void a_queued_run_whose_queue_is_empty_is_published_again_ever_more_rarely() throws SQLException {
        runs.insert("gone");
        pass(Duration.ofSeconds(29));
        assertThat(test.number("select count(*) from outbox")).isZero();
        pass(Duration.ofSeconds(2));
        assertThat(test.number("select count(*) from outbox")).isEqualTo(1);
        test.execute("delete from outbox");
        pass(Duration.ofSeconds(29));
        assertThat(test.number("select count(*) from outbox")).isZero();
        pass(Duration.ofSeconds(2));
        test.execute("delete from outbox");
        pass(Duration.ofSeconds(31));
        assertThat(test.number("select count(*) from outbox")).isZero();
        pass(Duration.ofSeconds(31));
        assertThat(test.number("select count(*) from outbox")).isEqualTo(1);
    }

    /** Who ends a run has these locks before the rows of runs: the other way round the two would wait in a circle. */
    @ParameterizedTest
    @ValueSource(strings = {"schedule", "task_limit"})
    void while_it_waits_for_the_lock_of_a_schedule_or_a_limit_no_run_waits_for_it(String locked) throws Exception {
        test.execute(
                "insert into schedule (name, spec, hash, rule_hash, watermark) values ('s', '{}', '', '', clock());"
                        + " insert into task_limit values ('noop', 1)");
        runs.insert("late", "follows", "limited");
        test.execute(
                "update run set expires_at = clock() where key = 'late'; update run set state = 'waiting', schedule_id = 1,"
                        + " serial = true where key = 'follows'; update run set state = 'waiting', for_permit = true where key = 'limited'");
        CompletableFuture<Void> pass;
        try (Connection holder = test.ledger().connection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("select from " + locked + " for update");
            pass = CompletableFuture.runAsync(this::recover);
            await().until(() -> test.number("select count(*) from pg_locks join pg_stat_activity using (pid)"
                            + " where not granted and datname = current_database()")
                    == 1);
            assertThat(test.number("select count(*) from (select from run for update skip locked) as free"))
                    .isEqualTo(3);
            holder.rollback();
        }
        pass.get(60, TimeUnit.SECONDS);
        assertThat(state("late")).isEqualTo("expired");
        assertThat(state("follows")).isEqualTo("queued");
        assertThat(state("limited")).isEqualTo("queued");
    }

    private void recover() {
        try {
            recovery.pass();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void a_run_that_was_overtaken_long_ago_is_published_again_and_a_backlog_is_not() throws Exception {
        broker.channel().queueDeclare("onbeat.task.default", true, false, false, Map.of("x-queue-type", "quorum"));
        broker.channel().basicPublish("", "onbeat.task.default", null, new byte[] {1});
        runs.insert("gone", "unpublished");
        test.advanceClock(Duration.ofSeconds(5));
        runs.insert("late");
        test.execute(
                "insert into outbox (kind, run_ids, try_at) select 'task', array[id], clock() + interval '1 h' from run"
                        + " where key = 'unpublished'");
        test.advanceClock(Duration.ofSeconds(6));
        runs.insert("behind");
        Instant claimed = test.now();
        test.advanceClock(Duration.ofSeconds(1));
        runs.insert("waiting");
        test.execute("update run set state = 'running', lease_until = 'infinity' where key = 'behind'");
        Workers.report(
                test.ledger(),
                new Workers.Identity("w", "h", 1, "0", "{}", "[]"),
                "up",
                new Workers.Counts(1, 1, 0, 0, 0, 0, "{\"default\": \"" + claimed + "\"}"));
        pass(Duration.ofSeconds(1));
        assertThat(test.number("select sum(republished) from run")).isZero();
        for (int second = 0; second < 31; second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(test.texts("select key from run where republished > 0")).containsExactly("gone");
        assertThat(test.number("select count(*) from outbox join run on run.id = any (run_ids) where key = 'gone'"))
                .isEqualTo(1);
    }

    @Test
    void while_the_outbox_does_not_drain_nothing_is_taken_for_lost() throws SQLException {
        runs.insert("gone");
        test.execute("insert into outbox (kind, run_ids, try_at) values ('task', '{4711}', clock())");
        pass(Duration.ofSeconds(60));
        assertThat(test.number("select count(*) from outbox")).isEqualTo(1);
    }

    @Test
    void what_ended_before_the_retention_is_deleted_and_what_is_open_stays() throws SQLException {
        runs.insert("old", "open", "young");
        test.execute("update run set state = 'succeeded', open = false, finished_at = clock() where key = 'old'");
        test.execute(
                "insert into attempt (run_id, attempt, outcome, finished_at) select id, 1, 'failed', clock() from run");
        test.advanceClock(Duration.ofDays(30).plusSeconds(1));
        test.execute("update run set state = 'succeeded', open = false, finished_at = clock() where key = 'young'");
        pass(Duration.ofSeconds(11));
        assertThat(test.texts("select key from run order by key")).containsExactly("open", "young");
        assertThat(test.number("select count(*) from attempt")).isEqualTo(2);
    }

    @Test
    void a_beat_that_leads_no_more_recovers_nothing() throws SQLException {
        test.execute("update leader set term = term + 1, owner = 'other'");
        runs.claim(runs.insert("a").get(0), UUID.randomUUID());
        assertThat(catchThrowable(() -> pass(Duration.ofMinutes(2)))).hasMessageContaining("another beat leads");
        assertThat(state("a")).isEqualTo("running");
    }
}
