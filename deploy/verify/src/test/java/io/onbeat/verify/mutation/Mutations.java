package io.onbeat.verify.mutation;

import io.onbeat.verify.mutation.Mutation.Probe;
import java.util.List;

/**
 * Every guard that the guarantees stand on, and the test with real processes that needs it: one of them crashes or stands
 * still at the point where the guard is all that is left.
 */
final class Mutations {
    private static final String LEDGER = "common/src/main/java/io/onbeat/ledger/";
    private static final String MIGRATION = "common/src/main/resources/io/onbeat/ledger/migrations/V1__ledger.sql";
    private static final String BEAT = "beat/src/main/java/io/onbeat/beat/";
    private static final String WORKER = "worker/src/main/java/io/onbeat/worker/";

    private static final Edit TERM_CHECK = new Edit(
            LEDGER + "Leader.java",
            "where name = 'beat' and owner = ? and term = ? for share",
            "where name = 'beat' or owner = ? or term = ? for share");
    private static final Edit WATERMARK_COMPARE = new Edit(
            LEDGER + "Schedules.java",
            "where schedule.watermark = judged.from_time and schedule.hash = judged.hash",
            "where schedule.hash = judged.hash");
    private static final Edit FALLING_WATERMARK =
            new Edit(MIGRATION, "when (new.watermark < old.watermark)", "when (false)");
    private static final Edit NOTHING_REPUBLISHED =
            new Edit(BEAT + "recovery/RecoveryLoop.java", "if (published) {", "if (published && ledger == null) {");

    static final List<Mutation> ALL = List.of(
            Mutation.of(
                            "unique-key",
                            "the ledger takes two runs under one key",
                            system("FreezePointBeatTest#aFireThatAnotherBeatHasMadeARunIsNoSecondRun"),
                            new Edit(
                                    MIGRATION,
                                    "text        collate \"C\" not null unique,\n    schedule_id ",
                                    "text        collate \"C\" not null,\n    schedule_id "),
                            new Edit(LEDGER + "Runs.java", "                on conflict (key) do nothing\n", ""))
                    .maskedBy(TERM_CHECK, WATERMARK_COMPARE, FALLING_WATERMARK),
            Mutation.of(
                            "leader-term",
                            "a beat whose term is over may still write",
                            system("FreezePointBeatTest#aFireThatAnotherBeatHasSkippedIsNotSkippedAgain"),
                            TERM_CHECK)
                    .maskedBy(WATERMARK_COMPARE, FALLING_WATERMARK),
            Mutation.of(
                            "watermark-compare",
                            "fires are written from wherever a beat believes the watermark to be",
                            system("FreezePointBeatTest#aFireThatAnotherBeatHasSkippedIsNotSkippedAgain"),
                            WATERMARK_COMPARE)
                    .maskedBy(TERM_CHECK, FALLING_WATERMARK),
            Mutation.of(
                    "lease-token-settle",
                    "whoever was a run's owner may settle it",
                    system("FreezePointWorkerTest#theOutcomeOfAnAttemptThatHasLostItsLeaseIsNotThatOfTheNext"),
                    new Edit(
                            LEDGER + "Settlements.java",
                            "where run.state = 'running' and run.lease_token = outcome.token",
                            "where run.state = 'running'")),
            Mutation.of(
                    "lease-token-transaction",
                    "a task's own transaction commits without its lease",
                    system("FreezePointWorkerTest#theTransactionOfAnAttemptThatHasLostItsLeaseDoesNotCommit"),
                    new Edit(
                            LEDGER + "Leases.java",
                            "where id = ? and state = 'running' and lease_token = ?",
                            "where id = ? and state = 'running' and ?::uuid is not null")),
            Mutation.of(
                            "lease-token-renewal",
                            "whoever was a run's owner keeps its lease alive",
                            system("FreezePointWorkerTest#aWorkerThatHasLostALeaseDoesNotKeepUpTheNextOwners"),
                            new Edit(
                                    LEDGER + "Leases.java",
                                    "where run.lease_token = h.token and run.state = 'running'",
                                    "where run.state = 'running'"))
                    .maskedBy(
                            // the worker's own clock, which tells it that a lease is over
                            new Edit(
                                    WORKER + "execute/Execution.java",
                                    "if (nowNanos - heldUntilNanos >= 0) {",
                                    "if (run == null && nowNanos - heldUntilNanos >= 0) {")),
            Mutation.of(
                    "attempt-check",
                    "a message of any attempt may start the next one",
                    system("CrashPointWorkerTest#aRetryBeforeItsPublishComesByRecovery"),
                    new Edit(
                            LEDGER + "Claims.java",
                            "run.state in ('queued', 'retrying') and run.attempt = wish.attempt - 1",
                            "run.state in ('queued', 'retrying')")),
            Mutation.of(
                    "permit-lock",
                    "two claims count the permits of a task at the same time",
                    new Probe("common", "MaxConcurrencyStormTest"),
                    new Edit(LEDGER + "Permits.java", "order by task for update", "order by task")),
            Mutation.of(
                    "permit-count",
                    "a claim counts only its own batch against the limit of a task",
                    new Probe(
                            "common",
                            "MaxConcurrencyTest#a_claim_that_is_repeated_with_its_token_gets_the_same_answer"),
                    new Edit(
                            LEDGER + "Permits.java",
                            "+ (select count(*) from taken where taken.task = asked.task and taken.held)",
                            "+ (select count(*) from taken where taken.task = asked.task and not taken.held)")),
            Mutation.of(
                            "confirm-wait",
                            "a message counts as taken once it is sent",
                            system("CrashPointBeatTest#whatTheBrokerHasNotConfirmedIsPublishedAgainAsItMayNotHaveIt"),
                            new Edit(
                                    "common/src/main/java/io/onbeat/broker/Publisher.java",
                                    "current.channel.basicPublish(exchange, routingKey, true, message.properties(), message.body());",
                                    "current.channel.basicPublish(exchange, routingKey, true, message.properties(), message.body());"
                                            + " current.answer(number, false, null);"))
                    .maskedBy(NOTHING_REPUBLISHED),
            Mutation.of(
                            "outbox",
                            "a fire's messages are only in the beat's memory",
                            system("CrashPointBeatTest#firedBeforeThePublishIsPublishedFromTheOutbox"),
                            new Edit(
                                    BEAT + "fire/FireTransaction.java",
                                    "long entry = Outbox.add(connection, Outbox.Kind.TASK, runIds, Relay.HANDED_OVER_WITHIN);",
                                    "long entry = -1;"))
                    .maskedBy(NOTHING_REPUBLISHED),
            Mutation.of(
                    "recovery",
                    "what has come to a standstill stays there",
                    system("CrashPointWorkerTest#claimedBeforeItsStartCostsOneFailure"),
                    new Edit(
                            BEAT + "recovery/RecoveryLoop.java",
                            "Optional<Leader.Term> held = term.get();",
                            "Optional<Leader.Term> held = term.get().filter(lead -> lead.term() < 0);")),
            Mutation.of(
                    "ordered-locking",
                    "a batch locks its rows in the order in which their messages came",
                    system("OppositeBatchesTest"),
                    new Edit(
                            LEDGER + "Claims.java",
                            "unnest(?, ?, ?, ?) as w (id, key, attempt, token)",
                            "unnest(?, ?, ?, ?) with ordinality as w (id, key, attempt, token, place)"),
                    new Edit(
                            LEDGER + "Claims.java",
                            "                    order by run.id\n                    for update of run\n",
                            "                    order by wish.place\n                    for update of run\n")),
            Mutation.of(
                    "overlap-lock",
                    "a run by hand looks for active runs without the lock of its schedule's row",
                    system("FreezePointOverlapTest#aRunByHandDoesNotBecomeActiveBesideAFireThatIsNotCommitted"),
                    new Edit(
                            LEDGER + "Schedules.java",
                            "where name = ? and removed_at is null for update",
                            "where name = ? and removed_at is null")),
            Mutation.of(
                    "overlap-lock-replay",
                    "a replay looks for active runs without the lock of its schedule's row",
                    system("FreezePointOverlapTest#aReplayDoesNotBecomeActiveBesideAFireThatIsNotCommitted"),
                    new Edit(
                            LEDGER + "Replays.java",
                            "(select schedule_id from run where id = any (?)) order by id for update",
                            "(select schedule_id from run where id = any (?)) order by id")));

    private Mutations() {}

    private static Probe system(String test) {
        return new Probe("deploy/verify", test);
    }
}
