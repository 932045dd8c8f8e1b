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
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A worker crashes at each of its points, and another one goes on. All of them crash at once, each in a queue of its own with
 * 24 runs; what the ledger said then is kept, so that every single run can be held against it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashPointWorkerTest {
    private static final Instant START = Instant.parse("2026-07-14T00:30:00Z");
    private static final int FIRES = 24;
    private static final int SLOTS = 8;
    private static final String ONE_ATTEMPT = "retry: {max_attempts: 1}";
    private static final String SERIAL = "overlap: queue, catch_up: all";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Books books;
    private Console console;
    private final Map<String, String> schedules = new HashMap<>();
    private final List<Victim> victims = new ArrayList<>();

    @BeforeAll
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
        theCrash("received").leftOnly("queued 0").started(0);
        allSucceed("received");
    }

    @Test
    void adoptedBeforeItsClaimCostsNothing() {
        theCrash("adopted").leftOnly("queued 0").started(0);
        allSucceed("adopted");
    }

    @Test
    void replayedBeforeItsClaimIsReplayedOnce() {
        theCrash("replayed").left("queued 1").started(FIRES);
        assertThat(books.number("select count(*) from run where queue = 'replayed' and state = 'succeeded'"))
                .isEqualTo(FIRES);
        assertThat(books.number("select sum(attempt) from run where queue = 'replayed'"))
                .isEqualTo(2 * FIRES);
        assertThat(books.number("select sum(failures) from run where queue = 'replayed'"))
                .isZero();
        effectsAreThoseOfSuccesses("replayed");
        console.awaitDepth("onbeat.dead.replayed", 0);
    }

    @Test
    void killedWhileTheDatabaseWorksOnItsClaimCostsOneFailure() {
        theCrash("sent").left("running 1").started(0);
        allSucceed("sent");
    }

    @Test
    void claimedBeforeItsStartCostsOneFailure() {
        theCrash("claimed").left("running 1").started(0);
        allSucceed("claimed");
    }

    @Test
    void executedWithAnEffectOutsideDoesItAgainInTheNextAttempt() {
        theCrash("executed").left("running 1").startedAtLeast(1);
        allSucceed("executed");
    }

    @Test
    void aTransactionBeforeItsCommitLeavesNothing() {
        theCrash("transaction-written").left("running 1").startedAtLeast(1);
        allSucceed("transaction-written");
    }

    @Test
    void aTransactionAfterItsCommitIsNotDoneAgain() {
        theCrash("transaction-committed").left("succeeded 1").startedAtLeast(1);
        allSucceed("transaction-committed");
    }

    @Test
    void aTransactionAfterItsCommitHoldsUpNoneThatWaitsForIt() {
        theCrash("transaction-committed-serial").left("succeeded 1").started(1);
        allSucceed("transaction-committed-serial");
        oneAfterTheOther("transaction-committed-serial");
    }

    @Test
    void finishedBeforeItsSettleCostsOneFailure() {
        theCrash("finished").left("running 1").startedAtLeast(1);
        allSucceed("finished");
    }

    @Test
    void aFailureInTheSettleBeforeItsCommitIsOneFailure() {
        theCrash("failure-written").left("running 1").startedAtLeast(1);
        // an attempt that was lost before it failed leaves the planned failure behind it
        allSucceed("failure-written");
    }

    @Test
    void aDeathInTheSettleBeforeItsCommitIsOneDeath() {
        theCrash("death-written").left("running 1").startedAtLeast(1);
        allDieOnceAndStartOnce("death-written");
        assertThat(books.number("""
                        select count(*) from verify.at_crash join run using (id)
                        where at_crash.queue = 'death-written' and at_crash.state = 'running' and run.error_class <> 'LeaseLost'""")).isZero();
    }

    @Test
    void aReleaseBeforeItsCommitCostsOneFailure() {
        theCrash("release-written").left("running 1").started(FIRES);
        allSucceed("release-written");
    }

    @Test
    void aPromotionBeforeItsCommitIsMadeOnceInOrder() {
        theCrash("promotion-written").left("running 1").started(1);
        allSucceed("promotion-written");
        oneAfterTheOther("promotion-written");
    }

    @Test
    void settledBeforeItsAckIsNotStartedAgain() {
        theCrash("settled").left("succeeded 1").startedAtLeast(1);
        allSucceed("settled");
    }

    @Test
    void aRetryBeforeItsPublishComesByRecovery() {
        theCrash("retry-settled").left("retrying 1").startedAtLeast(1);
        console.awaitDepth("onbeat.retry.retry-settled.1s", 0);
        allSucceed("retry-settled");
    }

    @Test
    void aRetryPublishedBeforeItsConfirmComesOnce() {
        theCrash("retry-published").left("retrying 1").startedAtLeast(1);
        allSucceed("retry-published");
    }

    @Test
    void aRetryConfirmedBeforeTheAckComesOnce() {
        theCrash("retry-confirmed").left("retrying 1").startedAtLeast(1);
        allSucceed("retry-confirmed");
    }

    @Test
    void aRunThatDiesWhileItsWorkerIsKilledBetweenTheCommitAndTheAckHasNoFurtherStartAndExactlyOneDeadMessage() {
        theCrash("dead-settled").left("dead 1").startedAtLeast(1);
        allDieOnceAndStartOnce("dead-settled");
    }

    @Test
    void releasedBeforeItsAckCostsNoFailure() {
        theCrash("released").left("queued 1").started(FIRES);
        assertThat(books.number("""
                        select count(*) from verify.at_crash join run using (id)
                        where at_crash.queue = 'released' and at_crash.state = 'queued' and run.failures <> 0""")).isZero();
        allSucceed("released");
    }

    @Test
    void acknowledgedLeavesNothingToDo() {
        theCrash("acked").left("succeeded 1").startedAtLeast(1);
        allSucceed("acked");
    }

    /** What the ledger said when the worker of this queue had crashed. */
    private record AtCrash(Books books, String queue) {
        AtCrash left(String stateAndAttempt) {
            assertThat(books.texts(
                            "select state || ' ' || attempt from verify.at_crash where queue = ? group by 1 order by 1",
                            queue))
                    .contains(stateAndAttempt);
            return this;
        }

        AtCrash leftOnly(String stateAndAttempt) {
            assertThat(books.texts(
                            "select distinct state || ' ' || attempt from verify.at_crash where queue = ?", queue))
                    .containsExactly(stateAndAttempt);
            return this;
        }

        AtCrash started(long starts) {
            assertThat(startsBefore()).isEqualTo(starts);
            return this;
        }

        void startedAtLeast(long starts) {
            assertThat(startsBefore()).isGreaterThanOrEqualTo(starts);
        }

        private long startsBefore() {
            return books.number("select count(*) from verify.start_before_crash where queue = ?", queue);
        }
    }

    private AtCrash theCrash(String queue) {
        return new AtCrash(books, queue);
    }

    /** Every fire is one run, every run one success; only those that the crash left running have lost an attempt. */
    private void allSucceed(String queue) {
        assertThat(books.texts("select distinct state from run where queue = ?", queue))
                .containsExactly("succeeded");
        theRunsAreThoseOfTheFires(queue);
        assertThat(books.texts("""
                        select key from run
                        left join (select id, 1 as count from verify.at_crash where state = 'queued' and attempt > 0) as released
                             using (id)
                        cross join lateral (select count(*) from attempt where run_id = run.id) as failed
                        where queue = ? and (failures <> failed.count
                                             or run.attempt <> failed.count + coalesce(released.count, 0) + 1)""", queue))
                .as("runs with other attempts than one for each failure or release, and one that succeeded")
                .isEmpty();
        effectsAreThoseOfSuccesses(queue);
    }

    private void allDieOnceAndStartOnce(String queue) {
        assertThat(books.texts(
                        "select distinct state || ' ' || attempt || ' ' || failures from run where queue = ?", queue))
                .containsExactly("dead 1 1");
        theRunsAreThoseOfTheFires(queue);
        String deadQueue = "onbeat.dead." + queue;
        console.awaitDepth(deadQueue, FIRES);
        assertThat(console.peek(deadQueue, 2 * FIRES).stream()
                        .map(message -> message.properties().path("message_id").asText())
                        .toList())
                .containsExactlyInAnyOrderElementsOf(books.texts("select key from run where queue = ?", queue));
    }

    private void theRunsAreThoseOfTheFires(String queue) {
        assertThat(books.number("select count(*) from run where queue = ?", queue))
                .isEqualTo(FIRES);
        assertThat(books.number(
                        "select count(distinct case origin when 'outside' then key else fire_at::text end) from run where queue = ?",
                        queue))
                .isEqualTo(FIRES);
        assertThat(books.texts(
                        "select run_id || '/' || attempt.attempt from attempt join run on run.id = run_id where outcome = 'lost' and queue = ?",
                        queue))
                .as("attempts lost")
                .containsExactlyInAnyOrderElementsOf(books.texts(
                        "select id || '/' || attempt from verify.at_crash where state = 'running' and queue = ?",
                        queue));
        assertThat(books.texts("""
                        select run_key from verify.execution join run on run.key = run_key where queue = ?
                        group by run_key, execution.attempt having count(*) > 1""", queue)).as("attempts started twice").isEmpty();
        assertThat(books.texts("""
                        select run.key from verify.at_crash join run using (id)
                        where run.queue = ? and at_crash.finished_at is not null
                              and (run.attempt <> at_crash.attempt
                                   or (select count(*) from verify.execution where run_key = run.key)
                                      <> (select count(*) from verify.start_before_crash where run_key = run.key))""", queue))
                .as("runs that went on after their end")
                .isEmpty();
        console.awaitDepth("onbeat.task." + queue, 0);
    }

    private void effectsAreThoseOfSuccesses(String queue) {
        assertThat(books.texts(
                        "select run_key from verify.effect join run on run.key = run_key where queue = ?", queue))
                .as("effects of transactions")
                .containsExactlyInAnyOrderElementsOf(books.texts(
                        "select key from run where queue = ? and state = 'succeeded' and (args ->> 'outside') is null",
                        queue));
    }

    private void oneAfterTheOther(String queue) {
        assertThat(books.number("""
                        select count(*) from run as a join run as b on a.queue = b.queue and a.fire_at < b.fire_at
                        where a.queue = ? and a.finished_at > b.started_at""", queue))
                .as("runs that began before an earlier one had ended")
                .isZero();
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

    private void crashAll() {
        start("replayed", CrashPoint.REPLAYED);
        crashInTheStop("release-written", CrashPoint.SETTLE_WRITTEN);
        crashInTheStop("released", CrashPoint.RELEASED);
        start("received", CrashPoint.RECEIVED);
        start("adopted", CrashPoint.ADOPTED);
        start("claimed", CrashPoint.CLAIMED);
        start("executed", CrashPoint.EXECUTED);
        start("transaction-written", CrashPoint.TRANSACTION_WRITTEN);
        start("transaction-committed", CrashPoint.TRANSACTION_COMMITTED);
        start("transaction-committed-serial", CrashPoint.TRANSACTION_COMMITTED);
        start("finished", CrashPoint.FINISHED);
        start("failure-written", CrashPoint.SETTLE_WRITTEN);
        start("death-written", CrashPoint.SETTLE_WRITTEN);
        start("promotion-written", CrashPoint.SETTLE_WRITTEN);
        start("settled", CrashPoint.SETTLED);
        start("retry-settled", CrashPoint.RETRY_SETTLED);
        start("retry-published", CrashPoint.RETRY_PUBLISHED);
        start("retry-confirmed", CrashPoint.RETRY_CONFIRMED);
        start("dead-settled", CrashPoint.DEAD_SETTLED);
        start("acked", CrashPoint.ACKED);
        killInTheClaim("sent");
        console.awaitDepth("onbeat.dead.replayed", FIRES);
        console.move("onbeat.dead.replayed", "onbeat.task.replayed");
        victims.forEach(this::keep);
    }

    private Victim start(String queue, CrashPoint point) {
        return start(queue, SLOTS, Victim.crashingAt(point));
    }

    private Victim start(String queue, int slots, Map<String, String> settings) {
        Map<String, String> all = Victim.named(queue, cluster, settings);
        all.put("ONBEAT_QUEUES", queue + ":" + slots);
        // no lease runs out before the clock is set
        all.put("ONBEAT_LEASE", "60s");
        all.put("ONBEAT_DRAIN", "1s");
        Victim victim = new Victim(queue, cluster.startWorker(all));
        victims.add(victim);
        return victim;
    }

    private void crashInTheStop(String queue, CrashPoint point) {
        Victim victim = start(queue, FIRES, Victim.crashingAt(point));
        books.await(
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
        books.turnClock(Duration.ofMinutes(2));
        cluster.startWorker(Map.of(
                "ONBEAT_LEASE",
                "60s",
                "ONBEAT_QUEUES",
                victims.stream().map(victim -> victim.name() + ":4").collect(Collectors.joining(","))));
        books.await(Duration.ofSeconds(90), "select count(*) = 0 from run where open");
        books.await("select count(*) = 0 from outbox");
        assertThat(books.number("select count(*) from skip")).isZero();
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
