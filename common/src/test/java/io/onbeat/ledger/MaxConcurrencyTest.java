package io.onbeat.ledger;

import static io.onbeat.ledger.LedgerRuns.failure;
import static io.onbeat.ledger.LedgerRuns.next;
import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** max_concurrency: what exceeds it waits for a permit, and follows. */
class MaxConcurrencyTest {
    private static final Instant NOON = Instant.parse("2026-07-14T12:00:00Z");

    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final LedgerRuns runs = new LedgerRuns(ledger);

    @BeforeEach
    void twoAtOnce() throws SQLException {
        test.setClock(NOON);
        limit(Map.of("noop", 2));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void limit(Map<String, Integer> limits) throws SQLException {
        ledger.transaction(connection -> TaskLimits.put(connection, limits));
    }

    private int recover() throws SQLException {
        return ledger.transaction(Recovery::promote);
    }

    private void succeed(ClaimedRun run) throws SQLException {
        Settlements.settle(ledger, List.of(Settlement.succeeded(run, Optional.empty())));
    }

    private List<String> states() {
        return test.texts("select key || ' ' || state from run order by key");
    }

    /** Claims them in one batch. */
    private List<ClaimResult> claim(List<Attempt> attempts) throws SQLException {
        return Claims.claim(
                ledger,
                "w1",
                LedgerRuns.LEASE,
                attempts.stream()
                        .map(attempt -> new Claims.Wish(attempt, UUID.randomUUID()))
                        .toList());
    }

    private static List<ClaimedRun> claimed(List<ClaimResult> results) {
        return results.stream()
                .filter(ClaimResult.Claimed.class::isInstance)
                .map(result -> ((ClaimResult.Claimed) result).run())
                .toList();
    }

    private List<Attempt> due(int count) throws SQLException {
        List<NewRun> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(run(
                    "r" + i,
                    Optional.empty(),
                    Instant.parse("2026-07-14T02:00:00Z").plusSeconds(i),
                    false));
        }
        Map<String, Long> ids = ledger.transaction(connection -> Runs.insert(connection, all));
        return all.stream()
                .map(run -> new Attempt(ids.get(run.key()), run.key(), 1))
                .toList();
    }

    static NewRun run(String key, Optional<Integer> schedule, Instant fireAt, boolean waiting) {
        return new NewRun(
                key,
                schedule,
                schedule.map(id -> "s"),
                "noop",
                "default",
                Origin.SCHEDULE,
                fireAt,
                "{}",
                Duration.ofMinutes(5),
                "{\"max_attempts\":3}",
                3,
                schedule.isPresent(),
                waiting,
                Optional.empty(),
                Optional.of(Instant.parse("2026-07-14T13:00:00Z")));
    }

    @Test
    void what_exceeds_the_limit_waits_without_an_attempt_or_a_failure_and_follows_by_fire_time() throws SQLException {
        List<Attempt> due = due(5);
        List<ClaimResult> results = claim(List.of(due.get(4), due.get(3), due.get(1), due.get(0), due.get(2)));
        assertThat(states()).containsExactly("r0 running", "r1 running", "r2 waiting", "r3 waiting", "r4 waiting");
        assertThat(test.number("select sum(attempt + failures) from run where state = 'waiting'"))
                .isZero();
        assertThat(results.get(0)).isEqualTo(new ClaimResult.Waiting(due.get(4)));

        succeed(claimed(results).get(0));
        assertThat(states()).containsExactly("r0 running", "r1 succeeded", "r2 queued", "r3 waiting", "r4 waiting");
        assertThat(test.texts("select run_ids::text from outbox"))
                .containsExactly("{" + due.get(2).runId() + "}");
        assertThat(recover())
                .as("nobody else is called to a permit that is to be taken")
                .isZero();
        assertThat(claimed(claim(List.of(due.get(2))))).hasSize(1);
    }

    @Test
    void who_was_called_comes_before_a_run_that_is_new_for_a_while() throws SQLException {
        List<Attempt> due = due(4);
        List<ClaimResult> results = claim(due.subList(0, 3));
        succeed(claimed(results).get(0));
        assertThat(runs.claim(due.get(3))).isInstanceOf(ClaimResult.Waiting.class);
        test.advanceClock(Duration.ofSeconds(6));
        // its message did not come: the permit is anybody's
        assertThat(recover()).isEqualTo(1);
        assertThat(runs.claim(due.get(3))).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(runs.claim(due.get(2))).isInstanceOf(ClaimResult.Waiting.class);
        assertThat(states()).containsExactly("r0 succeeded", "r1 running", "r2 waiting", "r3 running");
    }

    @Test
    void a_queue_without_workers_keeps_the_permits_from_no_other() throws SQLException {
        List<Attempt> due = due(6);
        List<ClaimedRun> held = claimed(claim(due.subList(0, 5)));
        test.execute("update run set queue = 'deserted' where key in ('r2', 'r3')");
        test.execute("update permit set queue = 'deserted' from run where run.id = run_id and run.queue = 'deserted'");
        succeed(held.get(0));
        succeed(held.get(1));
        assertThat(states())
                .containsExactly("r0 succeeded", "r1 succeeded", "r2 queued", "r3 queued", "r4 queued", "r5 queued");
        assertThat(claimed(claim(List.of(due.get(4), due.get(5))))).hasSize(2);
        assertThat(claimed(claim(List.of(due.get(2), due.get(3))))).isEmpty();
    }

    @Test
    void a_claim_that_is_repeated_with_its_token_gets_the_same_answer() throws SQLException {
        List<Attempt> due = due(3);
        claim(due.subList(0, 1));
        UUID token = UUID.randomUUID();
        ClaimResult first = runs.claim(due.get(1), token);
        ClaimResult again = runs.claim(due.get(1), token);
        assertThat(again).isInstanceOf(ClaimResult.Claimed.class);
        assertThat(((ClaimResult.Claimed) again).run().limited()).isTrue();
        assertThat(((ClaimResult.Claimed) first).run().token())
                .isEqualTo(((ClaimResult.Claimed) again).run().token());
        assertThat(runs.claim(due.get(2))).isInstanceOf(ClaimResult.Waiting.class);
        assertThat(runs.claim(due.get(2))).isInstanceOf(ClaimResult.Duplicate.class);
    }

    @Test
    void however_an_attempt_ends_its_permit_is_the_next_ones() throws SQLException {
        List<Attempt> due = due(9);
        List<ClaimedRun> held = claimed(claim(due));
        Settlements.settle(ledger, List.of(Settlement.dead(held.get(0), failure("x"))));
        Settlements.settle(
                ledger,
                List.of(Settlement.retrying(held.get(1), failure("x"), Duration.ofHours(1), Duration.ofHours(1))));
        assertThat(states()).contains("r0 dead", "r1 retrying", "r2 queued", "r3 queued", "r4 waiting");
        ClaimedRun third = runs.claimed(due.get(2));
        ClaimedRun fourth = runs.claimed(due.get(3));
        Settlements.settle(ledger, List.of(Settlement.skipped(third, "nothing to do"), Settlement.released(fourth)));
        assertThat(states()).contains("r2 skipped", "r3 queued", "r4 queued", "r5 queued", "r6 waiting");
        ClaimedRun fifth = runs.claimed(due.get(4));
        boolean succeeded = ledger.transaction(connection -> Leases.succeed(connection, "onbeat", fifth, null));
        assertThat(succeeded).isTrue();
        succeed(fifth);
        assertThat(states()).contains("r4 succeeded", "r6 queued", "r7 waiting");
    }

    @Test
    void a_killed_worker_gives_its_permits_back_with_its_leases() throws SQLException {
        List<Attempt> due = due(4);
        claim(due);
        test.advanceClock(LedgerRuns.LEASE.minusSeconds(1));
        assertThat(recover()).isZero();
        test.advanceClock(Duration.ofSeconds(2));
        assertThat(recover()).as("only recovery ends a lease").isZero();
        ledger.transaction(connection -> Recovery.endLapsedLeases(connection, 10));
        assertThat(recover()).isEqualTo(2);
        assertThat(states()).containsExactly("r0 queued", "r1 queued", "r2 queued", "r3 queued");
        assertThat(claimed(claim(due.subList(2, 4)))).hasSize(2);
        assertThat(claim(List.of(next(due.get(0)), next(due.get(1))))).allMatch(ClaimResult.Waiting.class::isInstance);
        assertThat(test.texts("select attempt || ' ' || failures from run where state = 'waiting'"))
                .containsExactly("1 1", "1 1");
    }

    @Test
    void a_retry_that_waits_for_a_permit_keeps_its_count() throws SQLException {
        List<Attempt> due = due(3);
        List<ClaimedRun> held = claimed(claim(due));
        Settlements.settle(
                ledger, List.of(Settlement.retrying(held.get(0), failure("x"), Duration.ZERO, Duration.ZERO)));
        runs.claimed(due.get(2));
        assertThat(runs.claim(next(due.get(0)))).isInstanceOf(ClaimResult.Waiting.class);
        succeed(held.get(1));
        assertThat(test.texts("select state || ' ' || attempt || ' ' || failures from run where key = 'r0'"))
                .containsExactly("queued 1 1");
        assertThat(runs.claimed(next(due.get(0))).failures()).isEqualTo(1);
    }

    @Test
    void a_limit_that_is_lowered_stops_nothing_and_holds_from_the_next_claim_on() throws SQLException {
        List<Attempt> due = due(4);
        List<ClaimedRun> held = claimed(claim(due.subList(0, 3)));
        limit(Map.of("noop", 1));
        succeed(held.get(0));
        assertThat(recover()).isZero();
        assertThat(runs.claim(due.get(3))).isInstanceOf(ClaimResult.Waiting.class);
        succeed(held.get(1));
        assertThat(states()).containsExactly("r0 succeeded", "r1 succeeded", "r2 queued", "r3 waiting");
    }

    @Test
    void a_limit_that_is_raised_or_taken_away_lets_the_waiting_ones_go() throws SQLException {
        List<Attempt> due = due(6);
        claim(due);
        limit(Map.of("noop", 3));
        assertThat(recover()).isEqualTo(1);
        assertThat(claimed(claim(List.of(due.get(2))))).hasSize(1);
        limit(Map.of());
        assertThat(recover()).isEqualTo(3);
        assertThat(claimed(claim(due.subList(3, 6)))).hasSize(3).noneMatch(ClaimedRun::limited);
        assertThat(recover()).isZero();
        assertThat(test.number("select count(*) from permit where token is null"))
                .isZero();
    }

    @Test
    void a_limit_that_is_new_counts_what_runs_already_also_when_an_older_worker_claimed_it() throws SQLException {
        limit(Map.of());
        List<Attempt> due = due(4);
        List<ClaimedRun> held = claimed(claim(due.subList(0, 2)));
        limit(Map.of("noop", 2));
        assertThat(runs.claim(due.get(2))).isInstanceOf(ClaimResult.Waiting.class);
        test.execute("update run set state = 'running', attempt = 1, lease_token = gen_random_uuid(),"
                + " lease_until = clock() + interval '30 s' where key = 'r3'");
        recover();
        succeed(held.get(0));
        assertThat(recover()).as("two are running still").isZero();
        assertThat(states()).containsExactly("r0 succeeded", "r1 running", "r2 waiting", "r3 running");
    }

    @Test
    void a_waiting_run_expires_and_can_be_cancelled_and_leaves_nothing_behind() throws SQLException {
        List<Attempt> due = due(5);
        List<ClaimedRun> held = claimed(claim(due));
        ledger.transaction(connection -> Cancellations.cancel(connection, "r2"));
        succeed(held.get(0));
        assertThat(states()).contains("r2 cancelled", "r3 queued", "r4 waiting");
        test.setClock(Instant.parse("2026-07-14T13:00:01Z"));
        Settlements.settle(ledger, List.of(Settlement.succeeded(held.get(1), Optional.empty())));
        ledger.transaction(connection -> Recovery.expire(connection, 10));
        recover();
        assertThat(states()).contains("r3 expired", "r4 expired");
        ledger.transaction(connection -> {
            Retention.deleteRest(connection, Duration.ofDays(30));
            return true;
        });
        assertThat(test.number("select count(*) from permit")).isZero();
    }

    @Test
    void overlap_and_the_limit_wait_for_different_things() throws SQLException {
        test.execute(
                "insert into schedule (name, spec, hash, rule_hash, watermark) values ('s', '{}', '', '', clock())");
        limit(Map.of("noop", 1));
        ClaimedRun busy = claimed(claim(due(1))).get(0);
        NewRun first = run("s@1", Optional.of(1), NOON.minusSeconds(2), false);
        NewRun second = run("s@2", Optional.of(1), NOON.minusSeconds(1), true);
        Map<String, Long> ids = ledger.transaction(connection -> Runs.insert(connection, List.of(first, second)));
        Attempt serial = new Attempt(ids.get("s@1"), "s@1", 1);
        assertThat(runs.claim(serial)).isInstanceOf(ClaimResult.Waiting.class);
        assertThat(recover()).as("neither's turn has come").isZero();
        assertThat(states()).containsExactly("r0 running", "s@1 waiting", "s@2 waiting");

        succeed(busy);
        assertThat(states()).containsExactly("r0 succeeded", "s@1 queued", "s@2 waiting");
        succeed(runs.claimed(serial));
        assertThat(states()).containsExactly("r0 succeeded", "s@1 succeeded", "s@2 queued");
    }

    @Test
    void tasks_without_a_limit_know_nothing_of_permits() throws SQLException {
        limit(Map.of("other", 1));
        List<ClaimedRun> held = claimed(claim(due(3)));
        assertThat(held).hasSize(3).noneMatch(ClaimedRun::limited);
        held.forEach(
                run -> assertThat(Settlement.succeeded(run, Optional.empty()).limited())
                        .isEmpty());
        assertThat(test.number("select count(*) from permit")).isZero();
    }
}
