package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Publisher;
import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.fault.CrashPoint;
import io.onbeat.message.MessageCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A worker crashes at each of its points, and another one goes on. Each has a queue of its own with 24 runs; what the ledger
 * said then is kept, so that every single run can be held against it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashPointWorkerTest {
    private static final Instant START = Instant.parse("2026-07-14T00:30:00Z");
    private static final int FIRES = 24;
    private static final int SLOTS = 8;
    private static final String LEASE = "15m";
    // and before the next fire
    private static final Duration AFTER_THE_LEASE = Duration.ofMinutes(16);
    private static final String ONE_ATTEMPT = "retry: {max_attempts: 1}";
    private static final String SERIAL = "overlap: queue, catch_up: all";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Books books;
    private Console console;
    private final Map<String, String> schedules = new HashMap<>();
    private final List<Victim> victims = new ArrayList<>();
    private final List<String> queues = new ArrayList<>();

    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.MINUTES) // twenty processes, on a machine that may be loaded
    void crashAllAndGoOn() throws Exception {
        books = cluster.books();
        console = cluster.console();
        books.execute("""
                create table verify.at_crash as select * from run;
                create table verify.start_before_crash (queue text, run_key text, attempt int);""");
        books.setClock(START);
        plan("received", "");
        plan("replayed", ONE_ATTEMPT + ", args: {failures: 1}");
        plan("sent", "");
        plan("claimed", "");
        plan("executed", "args: {outside: true}");
        plan("transaction-worked", "");
        plan("transaction-written", "");
        plan("transaction-committed", "");
        plan("transaction-committed-serial", SERIAL);
        plan("finished", "args: {outside: true}");
        plan("failure-written", "args: {failures: 1}");
        plan("death-written", ONE_ATTEMPT + ", args: {failures: 9}");
        plan("release-written", "args: {waits: true}");
        plan("promotion-written", SERIAL + ", args: {outside: true}");
        plan("settled", "args: {outside: true}");
        plan("retry-settled", "args: {failures: 1}");
        plan("retry-published", "args: {failures: 1}");
        plan("retry-confirmed", "args: {failures: 1}");
        plan("dead-settled", ONE_ATTEMPT + ", args: {failures: 9}");
        plan("released", "args: {waits: true}");
        plan("acked", "args: {outside: true}");
        fireAll();
        publishFromOutside("adopted");
        crashAll();
        goOn();
    }

    @Test
    void receivedBeforeItsClaimCostsNothing() {
        theCrash("received").leftOnly("queued 0").started(0).allSucceed();
    }

    @Test
    void adoptedBeforeItsClaimCostsNothing() {
        theCrash("adopted").leftOnly("queued 0").started(0).allSucceed();
    }

    @Test
    void replayedBeforeItsClaimIsReplayedOnce() {
        books.await("select count(*) = ? from run where queue = 'replayed' and state = 'succeeded'", FIRES);
        theCrash("replayed").left("queued 1").started(FIRES);
        assertThat(books.number("select sum(attempt) from run where queue = 'replayed'"))
                .isEqualTo(2 * FIRES);
        assertThat(books.number("select sum(failures) from run where queue = 'replayed'"))
                .isZero();
        theCrash("replayed").effectsAreThoseOfSuccesses();
        console.awaitDepth("onbeat.dead.replayed", 0);
    }

    @Test
    void killedWhileTheDatabaseWorksOnItsClaimCostsOneFailure() {
        theCrash("sent").left("running 1").started(0).allSucceed();
    }

    @Test
    void claimedBeforeItsStartCostsOneFailure() {
        theCrash("claimed").left("running 1").started(0).allSucceed();
    }

    @Test
    void executedWithAnEffectOutsideDoesItAgainInTheNextAttempt() {
        theCrash("executed").left("running 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aTransactionBeforeItsFenceLeavesNothing() {
        theCrash("transaction-worked").left("running 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aTransactionBeforeItsCommitLeavesNothing() {
        theCrash("transaction-written").left("running 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aTransactionAfterItsCommitIsNotDoneAgain() {
        theCrash("transaction-committed").left("succeeded 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aTransactionAfterItsCommitHoldsUpNoneThatWaitsForIt() {
        theCrash("transaction-committed-serial")
                .left("succeeded 1")
                .startedAtLeast(1)
                .allSucceed();
        theCrash("transaction-committed-serial").oneAfterTheOther();
    }

    @Test
    void finishedBeforeItsSettleCostsOneFailure() {
        theCrash("finished").left("running 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aFailureInTheSettleBeforeItsCommitIsOneFailure() {
        // an attempt that was lost before it failed leaves the planned failure behind it
        theCrash("failure-written").left("running 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aDeathInTheSettleBeforeItsCommitIsOneDeath() {
        theCrash("death-written").left("running 1").startedAtLeast(1).allDieOnceAndStartOnce();
        assertThat(books.number("""
                        select count(*) from verify.at_crash join run using (id)
                        where at_crash.queue = 'death-written' and at_crash.state = 'running' and run.error_class <> 'LeaseLost'""")).isZero();
    }

    @Test
    void aReleaseBeforeItsCommitCostsOneFailure() {
        theCrash("release-written").left("running 1").started(FIRES).allSucceed();
    }

    @Test
    void aPromotionBeforeItsCommitIsMadeOnceInOrder() {
        theCrash("promotion-written").left("running 1").started(1).allSucceed();
        theCrash("promotion-written").oneAfterTheOther();
    }

    @Test
    void settledBeforeItsAckIsNotStartedAgain() {
        theCrash("settled").left("succeeded 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aRetryBeforeItsPublishComesByRecovery() {
        theCrash("retry-settled").left("retrying 1").startedAtLeast(1);
        console.awaitDepth("onbeat.retry.retry-settled.1s", 0);
        theCrash("retry-settled").allSucceed();
    }

    @Test
    void aRetryPublishedBeforeItsConfirmComesOnce() {
        theCrash("retry-published").left("retrying 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aRetryConfirmedBeforeTheAckComesOnce() {
        theCrash("retry-confirmed").left("retrying 1").startedAtLeast(1).allSucceed();
    }

    @Test
    void aRunThatDiesWhileItsWorkerIsKilledBetweenTheCommitAndTheAckHasNoFurtherStartAndExactlyOneDeadMessage() {
        theCrash("dead-settled").left("dead 1").startedAtLeast(1).allDieOnceAndStartOnce();
    }

    @Test
    void releasedBeforeItsAckCostsNoFailure() {
        theCrash("released").left("queued 1").started(FIRES);
        assertThat(books.number("""
                        select count(*) from verify.at_crash join run using (id)
                        where at_crash.queue = 'released' and at_crash.state = 'queued' and run.failures <> 0""")).isZero();
        theCrash("released").allSucceed();
    }

    @Test
    void acknowledgedLeavesNothingToDo() {
        theCrash("acked").left("succeeded 1").startedAtLeast(1).allSucceed();
    }

    /** What it left, when it has been made good. */
    private Aftermath theCrash(String queue) {
        books.await("select count(*) = ? and not bool_or(open) from run where queue = ?", FIRES, queue);
        books.await("select count(*) = 0 from outbox");
        assertThat(books.number("select count(*) from skip")).isZero();
        return new Aftermath(books, console, queue, FIRES);
    }

    private void plan(String queue, String more) {
        schedules.put(
                queue,
                "  %1$s: {every: 1h, task: as-planned, queue: %1$s, misfire_grace: 60d%2$s%3$s}"
                        .formatted(
                                queue,
                                more.contains("overlap") ? "" : ", overlap: allow",
                                more.isEmpty() ? "" : ", " + more));
    }

    private void fireAll() {
        cluster.schedules("defaults: {retry: {max_attempts: 4, delays: [1s]}}\nschedules:\n"
                + String.join("\n", schedules.values()) + "\n");
        cluster.startBeat();
        books.await("select count(*) = ? from schedule", schedules.size());
        books.setClock(START.plus(Duration.ofHours(FIRES)));
        books.await("select count(*) = ? from run", FIRES * schedules.size());
        books.await("select count(*) = 0 from outbox");
    }

    // not all at once: their starts would hold up each other
    private void crashAll() {
        killInTheClaim("sent");
        crashInTheStop("release-written", CrashPoint.SETTLE_WRITTEN);
        crashInTheStop("released", CrashPoint.RELEASED);
        start("received", CrashPoint.RECEIVED);
        start("adopted", CrashPoint.ADOPTED);
        start("claimed", CrashPoint.CLAIMED);
        keepCrashed();
        start("executed", CrashPoint.EXECUTED);
        start("transaction-worked", CrashPoint.TRANSACTION_WORKED);
        start("transaction-written", CrashPoint.TRANSACTION_WRITTEN);
        start("transaction-committed", CrashPoint.TRANSACTION_COMMITTED);
        start("transaction-committed-serial", CrashPoint.TRANSACTION_COMMITTED);
        start("finished", CrashPoint.FINISHED);
        keepCrashed();
        start("failure-written", CrashPoint.SETTLE_WRITTEN);
        start("death-written", CrashPoint.SETTLE_WRITTEN);
        start("promotion-written", CrashPoint.SETTLE_WRITTEN);
        start("settled", CrashPoint.SETTLED);
        start("retry-settled", CrashPoint.RETRY_SETTLED);
        keepCrashed();
        start("replayed", CrashPoint.REPLAYED);
        start("retry-published", CrashPoint.RETRY_PUBLISHED);
        start("retry-confirmed", CrashPoint.RETRY_CONFIRMED);
        start("dead-settled", CrashPoint.DEAD_SETTLED);
        start("acked", CrashPoint.ACKED);
        books.await("select count(*) = ? from run where queue = 'replayed' and state = 'dead'", FIRES);
        console.awaitDepth("onbeat.dead.replayed", FIRES);
        console.move("onbeat.dead.replayed", "onbeat.task.replayed");
        keepCrashed();
    }

    private void keepCrashed() {
        victims.forEach(this::keep);
        queues.addAll(victims.stream().map(Victim::name).toList());
        victims.clear();
    }

    private Victim start(String queue, CrashPoint point) {
        return start(queue, SLOTS, Victim.crashingAt(point));
    }

    private Victim start(String queue, int slots, Map<String, String> settings) {
        Map<String, String> all = Victim.named(queue, cluster, settings);
        all.put("ONBEAT_QUEUES", queue + ":" + slots);
        // no lease runs out before the clock is turned
        all.put("ONBEAT_LEASE", LEASE);
        all.put("ONBEAT_DRAIN", "1s");
        Victim victim = new Victim(queue, cluster.startWorker(all));
        victims.add(victim);
        return victim;
    }

    private void crashInTheStop(String queue, CrashPoint point) {
        Victim victim = start(queue, FIRES, Victim.crashingAt(point));
        books.await(
                Duration.ofSeconds(90),
                "select count(*) = ? from verify.execution join run on run.key = run_key where queue = ?",
                FIRES,
                queue);
        victim.node().sigterm();
    }

    @SuppressWarnings("try") // the lock is there to be held
    private void killInTheClaim(String queue) {
        Victim victim;
        try (Hold hold = Hold.runs(cluster.servers().database(), queue)) {
            victim = start(queue, SLOTS, Map.of());
            books.await(
                    "select count(*) = 1 from pg_stat_activity where application_name = ? and wait_event_type = 'Lock'",
                    queue);
            victim.node().kill9();
        }
    }

    private void keep(Victim victim) {
        assertThat(victim.node().awaitExit(Duration.ofSeconds(90)))
                .as(victim.name())
                .isEqualTo(Victim.KILLED);
        victim.awaitNothingUnderWay(books);
        books.execute("insert into verify.at_crash select * from run where queue = ?", victim.name());
        books.execute("""
                insert into verify.start_before_crash
                select run.queue, run_key, execution.attempt from verify.execution join run on run.key = run_key
                where queue = ?""", victim.name());
    }

    private void goOn() {
        books.turnClock(AFTER_THE_LEASE);
        cluster.startWorker(Map.of(
                "ONBEAT_LEASE",
                LEASE,
                "ONBEAT_QUEUES",
                queues.stream().map(queue -> queue + ":4").collect(Collectors.joining(","))));
    }

    /** A program that knows nothing of attempts asks for runs. */
    private static void publishFromOutside(String queue) throws IOException, InterruptedException {
        Map<String, String> address =
                Map.of(ServerSettings.AMQP_URL, cluster.servers().vhost().amqpUrl());
        BrokerSettings broker = ServerSettings.read(Settings.of(address)).broker();
        CountDownLatch confirmed = new CountDownLatch(FIRES);
        try (Publisher publisher = new Publisher(broker, "outside")) {
            for (int i = 0; i < FIRES; i++) {
                BasicProperties properties = new BasicProperties.Builder()
                        .messageId("from-outside-" + i)
                        .type("as-planned")
                        .deliveryMode(2)
                        .build();
                byte[] body = "{\"args\": {}}".getBytes(StandardCharsets.UTF_8);
                publisher.publishTask(queue, new MessageCodec.Encoded(properties, body), new CountConfirms(confirmed));
            }
            assertThat(confirmed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
