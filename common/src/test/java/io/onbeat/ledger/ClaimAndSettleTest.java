package io.onbeat.ledger;

import static io.onbeat.ledger.LedgerRuns.failure;
import static io.onbeat.ledger.LedgerRuns.next;
import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.ClaimResult.Claimed;
import io.onbeat.ledger.ClaimResult.Duplicate;
import io.onbeat.ledger.ClaimResult.Early;
import io.onbeat.ledger.ClaimResult.Expired;
import io.onbeat.ledger.ClaimResult.Unknown;
import io.onbeat.run.Attempt;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClaimAndSettleTest {
    private static final Instant NOON = Instant.parse("2026-07-14T12:00:00Z");

    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final LedgerRuns runs = new LedgerRuns(ledger);

    @BeforeEach
    void atNoon() {
        test.setClock(NOON);
        test.execute("truncate run, attempt, outbox restart identity cascade");
    }

    @AfterAll
    void close() {
        test.close();
    }

    @Test
    void an_attempt_is_claimed_once_and_every_other_message_for_it_is_a_duplicate() throws SQLException {
        Attempt first = runs.insert("a").get(0);
        assertThat(runs.claim(first)).isInstanceOf(Claimed.class);
        assertThat(runs.claim(first)).isEqualTo(new Duplicate(first));
        assertThat(runs.claim(next(first))).isEqualTo(new Duplicate(next(first)));
    }

    @Test
    void a_claim_repeated_with_its_token_gets_the_same_answer() throws SQLException {
        Attempt first = runs.insert("a").get(0);
        UUID token = UUID.randomUUID();
        assertThat(runs.claim(first, token)).isEqualTo(runs.claim(first, token)).isInstanceOf(Claimed.class);
    }

    @Test
    void the_same_message_twice_in_a_batch_is_claimed_once() throws SQLException {
        Attempt first = runs.insert("a").get(0);
        List<ClaimResult> answers = Claims.claim(
                ledger,
                "w1",
                LedgerRuns.LEASE,
                List.of(new Claims.Wish(first, UUID.randomUUID()), new Claims.Wish(first, UUID.randomUUID())));
        assertThat(answers).hasAtLeastOneElementOfType(Claimed.class).contains(new Duplicate(first));
    }

    @Test
    void an_unknown_run_and_an_id_under_another_key_are_unknown() throws SQLException {
        Attempt known = runs.insert("a").get(0);
        Attempt other = new Attempt(known.runId(), "b", 1);
        assertThat(runs.claim(new Attempt(4711, "nobody", 1))).isInstanceOf(Unknown.class);
        assertThat(runs.claim(other)).isInstanceOf(Unknown.class);
    }

    @Test
    void a_retry_waits_for_its_delay_and_counts_a_failure() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        settle(Settlement.retrying(run, failure("boom"), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        Attempt second = next(run.attempt());
        assertThat(runs.claim(second)).isEqualTo(new Early(second, Duration.ofSeconds(10)));
        test.advanceClock(Duration.ofSeconds(10));
        assertThat(((Claimed) runs.claim(second)).run().failures()).isEqualTo(1);
        assertThat(test.texts("select outcome || ' ' || error_class || ' ' || error_message from attempt"))
                .containsExactly("failed java.lang.IllegalStateException boom");
    }

    @Test
    void a_settle_repeated_with_its_token_gets_the_same_answer_and_another_token_gets_none() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        Settlement succeeded = Settlement.succeeded(run, Optional.of("{\"n\":1}"));
        assertThat(settle(succeeded)).containsValue(RunState.SUCCEEDED);
        assertThat(settle(succeeded)).containsValue(RunState.SUCCEEDED);
        Settlement stranger = new Settlement(
                run.attempt(),
                UUID.randomUUID(),
                RunState.SUCCEEDED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty(),
                Optional.empty());
        assertThat(settle(stranger)).isEmpty();
    }

    @Test
    void a_dead_run_and_its_message_are_written_together_and_a_repeat_writes_neither_again() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        Settlement dead = Settlement.dead(run, failure("no use"));
        assertThat(settle(dead)).containsValue(RunState.DEAD);
        assertThat(settle(dead)).containsValue(RunState.DEAD);
        assertThat(test.texts("select kind || run_ids::text from outbox"))
                .containsExactly("dead{" + run.attempt().runId() + "}");
        assertThat(test.number("select count(*) from attempt")).isEqualTo(1);
    }

    @Test
    void a_release_counts_no_failure_and_its_next_attempt_may_start_at_once() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        assertThat(settle(Settlement.released(run))).containsValue(RunState.QUEUED);
        assertThat(test.texts("select kind from outbox")).containsExactly("task");
        assertThat(runs.claim(run.attempt())).isInstanceOf(Duplicate.class);
        assertThat(runs.claimed(next(run.attempt())).failures()).isZero();
    }

    @Test
    void a_run_whose_cancellation_was_asked_for_is_not_tried_again() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        ledger.transaction(connection -> Cancellations.cancel(connection, "a"));
        assertThat(settle(Settlement.retrying(run, failure("x"), Duration.ZERO, Duration.ZERO)))
                .containsValue(RunState.CANCELLED);
    }

    @Test
    void a_run_that_expired_in_its_queue_is_not_started() throws SQLException {
        Attempt first = runs.insert("a").get(0);
        test.execute("update run set expires_at = clock()");
        assertThat(runs.claim(first)).isEqualTo(new Expired(first));
        test.execute("update run set expires_at = clock() + interval '1 s'");
        assertThat(runs.claim(first)).isInstanceOf(Claimed.class);
    }

    @Test
    void a_run_that_has_started_does_not_expire_while_it_waits_for_its_next_attempt() throws SQLException {
        List<Attempt> first = runs.insert("retried", "released");
        ClaimedRun retried = runs.claimed(first.get(0));
        ClaimedRun released = runs.claimed(first.get(1));
        settle(Settlement.retrying(retried, failure("x"), Duration.ofSeconds(10), Duration.ofSeconds(15)));
        settle(Settlement.released(released));
        test.execute("update run set expires_at = clock() + interval '5 s'");
        test.advanceClock(Duration.ofSeconds(10));
        assertThat(ledger.transaction(c -> Recovery.expire(c, 10)).intValue()).isZero();
        assertThat(runs.claim(next(first.get(0)))).isInstanceOf(Claimed.class);
        assertThat(runs.claim(next(first.get(1)))).isInstanceOf(Claimed.class);
    }

    @Test
    void a_lapsed_lease_is_a_failure_and_the_former_owner_is_refused() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        test.advanceClock(LedgerRuns.LEASE);
        assertThat(endLapsed()).isEmpty();
        test.advanceClock(Duration.ofMillis(1));
        assertThat(endLapsed()).containsExactly(Map.entry(RunState.QUEUED, 1));
        assertThat(settle(Settlement.succeeded(run, Optional.empty()))).isEmpty();
        assertThat(runs.claimed(next(run.attempt())).failures()).isEqualTo(1);
        assertThat(test.texts("select outcome || ' ' || worker from attempt")).containsExactly("lost w1");
    }

    @Test
    void a_run_that_loses_its_worker_every_time_is_dead_after_its_cap() throws SQLException {
        Attempt attempt = runs.insert("a").get(0);
        for (int start = 1; start <= 3; start++) {
            assertThat(runs.claim(attempt)).isInstanceOf(Claimed.class);
            test.advanceClock(LedgerRuns.LEASE.plusMillis(1));
            endLapsed();
            attempt = next(attempt);
        }
        assertThat(test.texts("select state || ' ' || open from run")).containsExactly("dead false");
        assertThat(test.number("select count(*) from outbox where kind = 'dead'"))
                .isEqualTo(1);
    }

    @Test
    void a_renewal_keeps_the_lease_and_tells_of_loss_and_cancellation() throws SQLException {
        ClaimedRun kept = runs.claimed(runs.insert("kept").get(0));
        ClaimedRun lost = runs.claimed(runs.insert("lost").get(0));
        ClaimedRun cancelled = runs.claimed(runs.insert("cancelled").get(0));
        test.execute("update run set lease_token = gen_random_uuid() where key = 'lost'");
        ledger.transaction(connection -> Cancellations.cancel(connection, "cancelled"));
        Map<Long, Leases.Renewal> renewals = Leases.renew(
                ledger,
                LedgerRuns.LEASE,
                Map.of(
                        kept.attempt().runId(), kept.token(),
                        lost.attempt().runId(), lost.token(),
                        cancelled.attempt().runId(), cancelled.token()));
        assertThat(renewals)
                .containsEntry(kept.attempt().runId(), Leases.Renewal.RENEWED)
                .containsEntry(lost.attempt().runId(), Leases.Renewal.LOST)
                .containsEntry(cancelled.attempt().runId(), Leases.Renewal.CANCELLED);
    }

    @Test
    void a_renewal_brings_the_progress_of_those_that_have_one_and_leaves_the_others() throws SQLException {
        ClaimedRun told = runs.claimed(runs.insert("told").get(0));
        ClaimedRun silent = runs.claimed(runs.insert("silent").get(0));
        Map<Long, UUID> tokens = Map.of(
                told.attempt().runId(), told.token(),
                silent.attempt().runId(), silent.token());
        String half = "{\"attempt\":1,\"fraction\":0.5,\"note\":\"\"}";
        Leases.renew(ledger, LedgerRuns.LEASE, tokens, Map.of(told.attempt().runId(), half));
        Leases.renew(ledger, LedgerRuns.LEASE, tokens);
        assertThat(test.texts("select coalesce(progress::text, 'none') from run order by key"))
                .containsExactly("none", half);
        try (Connection connection = ledger.connection()) {
            assertThat(History.terms(connection, told.attempt().runId()).progress())
                    .contains(half);
        }
    }

    @Test
    void a_renewal_waits_for_no_lock() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        ledger.transaction(locking -> {
            Sql.list(locking, "select 1 from run for update", row -> 1);
            assertThat(Leases.renew(
                            ledger, LedgerRuns.LEASE, Map.of(run.attempt().runId(), run.token())))
                    .containsValue(Leases.Renewal.BUSY);
            return null;
        });
    }

    @Test
    void the_task_s_own_transaction_settles_the_run_and_the_settle_after_it_finds_it_done() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        boolean committed = ledger.transaction(c -> Leases.succeed(c, "onbeat", run, "7"));
        assertThat(committed).isTrue();
        assertThat(settle(Settlement.dead(run, failure("after the commit")))).containsValue(RunState.SUCCEEDED);
        boolean again = ledger.transaction(c -> Leases.succeed(c, "onbeat", run, "8"));
        assertThat(again).isFalse();
        assertThat(test.texts("select result::text from run")).containsExactly("7");
    }

    @Test
    void a_transaction_that_has_the_run_s_success_may_not_idle_before_its_commit() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        String limit = ledger.transaction(connection -> {
            Sql.update(connection, "set local idle_in_transaction_session_timeout = 0");
            Leases.succeed(connection, "onbeat", run, null);
            return Sql.one(connection, "show idle_in_transaction_session_timeout", row -> row.getString(1));
        });
        assertThat(limit).isEqualTo("5s");
    }

    @Test
    void a_replay_asked_for_twice_replays_once_and_counts_attempts_on() throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert("a").get(0));
        settle(Settlement.dead(run, failure("x")));
        Replays.DeadRun dead = new Replays.DeadRun(run.attempt().runId(), 1);
        List<Long> first = ledger.transaction(c -> Replays.replay(c, List.of(dead)));
        List<Long> second = ledger.transaction(c -> Replays.replay(c, List.of(dead)));
        assertThat(first).hasSize(1);
        assertThat(second).isEmpty();
        assertThat(runs.claimed(next(run.attempt())).failures()).isZero();
    }

    @Test
    void batches_that_take_the_same_rows_in_opposite_order_do_not_deadlock() throws Exception {
        String[] keys = new String[200];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "k" + i;
        }
        List<Claims.Wish> forward = new ArrayList<>(runs.insert(keys).stream()
                .map(a -> new Claims.Wish(a, UUID.randomUUID()))
                .toList());
        List<Claims.Wish> backward = new ArrayList<>(forward.stream()
                .map(w -> new Claims.Wish(w.attempt(), UUID.randomUUID()))
                .toList());
        Collections.reverse(backward);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 20; round++) {
                test.execute("update run set state = 'queued', attempt = 0");
                List<Callable<List<ClaimResult>>> claims = List.of(claim(forward), claim(backward), claim(forward));
                int claimed = 0;
                for (Future<List<ClaimResult>> answers : pool.invokeAll(claims)) {
                    claimed += (int) answers.get().stream()
                            .filter(Claimed.class::isInstance)
                            .count();
                }
                // the two forward batches share their tokens: both may be told of the same grant
                assertThat(claimed).isBetween(200, 400);
                assertThat(test.number("select count(*) from run where attempt = 1"))
                        .isEqualTo(200);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private Callable<List<ClaimResult>> claim(List<Claims.Wish> wishes) {
        return () -> Claims.claim(ledger, "w", LedgerRuns.LEASE, wishes);
    }

    private Map<Long, RunState> settle(Settlement settlement) throws SQLException {
        return Settlements.settle(ledger, List.of(settlement));
    }

    private Map<RunState, Integer> endLapsed() throws SQLException {
        return ledger.transaction(connection -> Recovery.endLapsedLeases(connection, 100));
    }
}
