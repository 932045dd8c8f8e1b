package io.onbeat.verify.mutation;

import io.onbeat.verify.mutation.Mutation.Probe;
import java.util.List;

/** Every guard that the guarantees stand on, and the quickest test on the real servers that needs it. */
final class Mutations {
    private static final String LEDGER = "common/src/main/java/io/onbeat/ledger/";
    private static final String BEAT = "beat/src/main/java/io/onbeat/beat/";

    private static final Edit WATERMARK_COMPARE = new Edit(
            LEDGER + "Schedules.java",
            "where schedule.watermark = judged.from_time and schedule.hash = judged.hash",
            "where schedule.hash = judged.hash");
    private static final Edit NOTHING_REPUBLISHED =
            new Edit(BEAT + "recovery/RecoveryLoop.java", "if (published) {", "if (published && ledger == null) {");

    static final List<Mutation> ALL = List.of(
            Mutation.of(
                    "unique-key",
                    "the ledger takes two runs under one key",
                    new Probe("beat", "FireLoopTest#unique_by_day_makes_one_run_of_many_fires"),
                    new Edit(
                            "common/src/main/resources/io/onbeat/ledger/migrations/V1__ledger.sql",
                            "text        collate \"C\" not null unique,\n    schedule_id ",
                            "text        collate \"C\" not null,\n    schedule_id "),
                    new Edit(LEDGER + "Runs.java", "                on conflict (key) do nothing\n", "")),
            Mutation.of(
                            "leader-term",
                            "a beat whose term is over may still write",
                            new Probe("beat", "TwoLeadersTest"),
                            new Edit(
                                    LEDGER + "Leader.java",
                                    "where name = 'beat' and owner = ? and term = ? for share",
                                    "where name = 'beat' or owner = ? or term = ? for share"))
                    .maskedBy(WATERMARK_COMPARE),
            Mutation.of(
                    "watermark-compare",
                    "fires are written from wherever a beat believes the watermark to be",
                    new Probe(
                            "beat",
                            "BehavioursTest#b19_two_beats_that_both_believe_they_lead_make_one_row_per_fire_and_one_skip_per_gap"),
                    WATERMARK_COMPARE),
            Mutation.of(
                    "lease-token-settle",
                    "whoever was a run's owner may settle it",
                    new Probe("common", "FormerOwnerTest"),
                    new Edit(
                            LEDGER + "Settlements.java",
                            "where run.state = 'running' and run.lease_token = outcome.token",
                            "where run.state = 'running'")),
            Mutation.of(
                    "lease-token-transaction",
                    "a task's own transaction commits without its lease",
                    new Probe("worker", "TransactionTest#whoHasLostTheLeaseCommitsNothing"),
                    new Edit(
                            LEDGER + "Leases.java",
                            "where id = ? and state = 'running' and lease_token = ?",
                            "where id = ? and state = 'running' and ?::uuid is not null")),
            Mutation.of(
                    "lease-token-renewal",
                    "whoever was a run's owner keeps its lease alive",
                    new Probe("common", "FormerOwnerTest"),
                    new Edit(
                            LEDGER + "Leases.java",
                            "where run.lease_token = h.token and run.state = 'running'",
                            "where run.state = 'running'")),
            Mutation.of(
                    "attempt-check",
                    "a message of any attempt may start the next one",
                    new Probe(
                            "common",
                            "ClaimAndSettleTest#a_release_counts_no_failure_and_its_next_attempt_may_start_at_once"),
                    new Edit(
                            LEDGER + "Claims.java",
                            "where run.state in ('queued', 'retrying') and run.attempt = wish.attempt - 1",
                            "where run.state in ('queued', 'retrying')")),
            Mutation.of(
                    "confirm-wait",
                    "a message counts as taken once it is sent",
                    new Probe(
                            "beat", "RelayTest#a_returned_message_stays_in_the_outbox_and_goes_when_its_queue_is_back"),
                    new Edit(
                            "common/src/main/java/io/onbeat/broker/Publisher.java",
                            "current.channel.basicPublish(exchange, routingKey, true, message.properties(), message.body());",
                            "current.channel.basicPublish(exchange, routingKey, true, message.properties(), message.body());"
                                    + " current.answer(number, false, null);")),
            Mutation.of(
                            "outbox",
                            "a fire's messages are only in the beat's memory",
                            new Probe(
                                    "deploy/verify",
                                    "CrashPointBeatTest#firedBeforeThePublishIsPublishedFromTheOutbox"),
                            new Edit(
                                    BEAT + "fire/FireTransaction.java",
                                    "long entry = Outbox.add(connection, Outbox.Kind.TASK, runIds, Relay.HANDED_OVER_WITHIN);",
                                    "long entry = -1;"))
                    .maskedBy(NOTHING_REPUBLISHED),
            Mutation.of(
                    "recovery",
                    "what has come to a standstill stays there",
                    new Probe("deploy/verify", "KilledWorkerTest"),
                    new Edit(
                            BEAT + "recovery/RecoveryLoop.java",
                            "Optional<Leader.Term> held = term.get();",
                            "Optional<Leader.Term> held = term.get().filter(lead -> lead.term() < 0);")),
            Mutation.of(
                    "ordered-locking",
                    "a batch locks its rows in any order",
                    new Probe(
                            "common",
                            "ClaimAndSettleTest#batches_that_take_the_same_rows_in_opposite_order_do_not_deadlock"),
                    new Edit(
                            LEDGER + "Claims.java",
                            "                    order by run.id\n                    for update of run\n",
                            "                    for update of run\n")),
            Mutation.of(
                    "overlap-lock",
                    "a run by hand looks for active runs without the lock of its schedule's row",
                    new Probe("beat", "OverlapLockTest#a_run_by_hand_does_not_start_beside_a_fire"),
                    new Edit(
                            LEDGER + "Schedules.java",
                            "where name = ? and removed_at is null for update",
                            "where name = ? and removed_at is null")),
            Mutation.of(
                    "overlap-lock-replay",
                    "a replay looks for active runs without the lock of its schedule's row",
                    new Probe("beat", "OverlapLockTest#a_replay_waits_for_a_fire"),
                    new Edit(
                            LEDGER + "Replays.java",
                            "(select schedule_id from run where id = any (?)) order by id for update",
                            "(select schedule_id from run where id = any (?)) order by id")));

    private Mutations() {}
}
