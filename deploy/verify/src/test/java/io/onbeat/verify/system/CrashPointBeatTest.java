package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Cancellations;
import io.onbeat.ledger.ClaimResult;
import io.onbeat.ledger.Claims;
import io.onbeat.run.Attempt;
import io.onbeat.verify.faults.TcpProxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The leading beat crashes at each of its points with 24 fires due, and another one goes on: 24 runs, each done once. */
class CrashPointBeatTest {
    private static final int FIRES = 24;
    private static final Duration LEASE = Duration.ofSeconds(60);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private static Node survivor;

    private final Books books = cluster.books();
    private final Console console = cluster.console();

    @BeforeAll
    static void start() {
        cluster.books().setClock(Instant.parse("2026-07-14T00:30:00Z"));
        startWorker("default");
        survivor = cluster.startBeat();
        cluster.books().await("select count(*) = 1 from leader where owner = ?", survivor.name());
    }

    @BeforeEach
    void leaveTheLead() {
        survivor.sigterm();
        survivor.awaitExit(Duration.ofSeconds(30));
    }

    @Test
    void leadingWithoutHavingFiredCostsTheLeaseOnly() {
        schedule("leading", "");
        crash(CrashPoint.LEADING, () -> {});
        assertThat(runs("leading")).isZero();
        goOn();
        dueNow("leading");
        allAreDoneOnce("leading");
    }

    @Test
    void aReloadBeforeItsCommitIsDoneByTheNextLeaderAndLosesNoFireOfTheOldRule() {
        schedule("edited", "");
        goOn();
        awaitInForce("edited");
        leaveTheLead();
        turn(Duration.ofHours(FIRES));
        schedule("reloaded", "");

        crash(CrashPoint.RELOAD_WRITTEN, () -> {});
        assertThat(runs("edited")).isZero();
        assertThat(books.number("select count(*) from schedule where name = 'reloaded'"))
                .isZero();
        goOn();
        allAreDoneOnce("edited");
        dueNow("reloaded");
        allAreDoneOnce("reloaded");
    }

    @Test
    void judgedButNotWrittenIsJudgedAgain() {
        crashWhenDue(CrashPoint.JUDGED, "judged");
        assertThat(runs("judged")).isZero();
        goOn();
        allAreDoneOnce("judged");
    }

    @Test
    void aFireTransactionBeforeItsCommitLeavesNothing() {
        crashWhenDue(CrashPoint.FIRE_WRITTEN, "written");
        assertThat(runs("written")).isZero();
        goOn();
        allAreDoneOnce("written");
    }

    @Test
    void firedBeforeThePublishIsPublishedFromTheOutbox() {
        crashWhenDue(CrashPoint.FIRED, "fired");
        assertThat(runs("fired")).isEqualTo(FIRES);
        assertThat(books.number("select count(*) from verify.effect where run_key like 'fired@%'"))
                .isZero();
        goOn();
        allAreDoneOnce("fired");
    }

    @Test
    void publishedBeforeItsConfirmIsPublishedAgain() {
        crashWhenDue(CrashPoint.PUBLISHED, "published");
        assertThat(messagesInTheOutbox()).isEqualTo(FIRES);
        goOn();
        allAreDoneOnce("published");
    }

    @Test
    void whatTheBrokerHasNotConfirmedIsPublishedAgainAsItMayNotHaveIt() {
        String direct = cluster.servers().vhost().amqpUrl();
        int port = URI.create(direct).getPort();
        try (TcpProxy network = new TcpProxy("beat>broker", port)) {
            schedule("unconfirmed", "");
            Map<String, String> settings = new HashMap<>(Victim.crashingAt(CrashPoint.PUBLISHED, 3));
            settings.put("ONBEAT_AMQP_URL", direct.replace(":" + port, ":" + network.port()));
            crash(CrashPoint.PUBLISHED, settings, () -> {
                awaitInForce("unconfirmed");
                fireEight("unconfirmed", 8);
                books.await(
                        "select count(*) = 8 and bool_and(state = 'succeeded') from run where schedule = 'unconfirmed'");
                books.await("select count(*) = 0 from outbox");
                network.stall();
                fireEight("unconfirmed", 16);
                // with the next entry it crashes; by then it has dealt with the answers to this one
                turn(Duration.ofHours(8));
            });
            network.cut();
        }
        goOn();
        allAreDoneOnce("unconfirmed");
    }

    private void fireEight(String schedule, long then) {
        turn(Duration.ofHours(8));
        books.await("select count(*) = ? from run where schedule = ?", then, schedule);
    }

    @Test
    void confirmedBeforeTheOutboxEntryLeavesIsPublishedAgain() {
        crashWhenDue(CrashPoint.CONFIRMED, "confirmed");
        assertThat(messagesInTheOutbox()).isEqualTo(FIRES);
        goOn();
        allAreDoneOnce("confirmed");
    }

    @Test
    void whatHasLeftTheOutboxNeedsNoBeat() {
        crashWhenDue(CrashPoint.OUTBOX_CLEARED, "cleared");
        assertThat(messagesInTheOutbox()).isZero();
        books.await("select count(*) = ? from run where schedule = 'cleared' and state = 'succeeded'", FIRES);
        goOn();
        allAreDoneOnce("cleared");
    }

    @Test
    void aLeaseEndedBeforeTheCommitIsEndedOnce() {
        crash(CrashPoint.LEASES_ENDED, () -> {
            fireIntoAQueueWithoutWorkers("lapsed", "");
            claimAllForAWorkerThatIsNoMore("lapsed");
            turn(LEASE.plusSeconds(1));
        });
        assertThat(states("lapsed")).containsExactly("running 0");
        goOn();
        books.await("select bool_and(state = 'queued') from run where schedule = 'lapsed'");
        startWorker("lapsed");
        allAreDone("lapsed");
        assertThat(states("lapsed")).containsExactly("succeeded 1");
        assertThat(books.number("select count(*) from attempt join run on run.id = run_id where outcome = 'lost'"))
                .isEqualTo(FIRES);
    }

    @Test
    void aRepublicationBeforeItsCommitIsMadeByTheNextLeader() {
        crash(CrashPoint.REPUBLISHED, () -> {
            fireIntoAQueueWithoutWorkers("purged", "");
            console.awaitDepth("onbeat.task.purged", FIRES);
            console.purge("onbeat.task.purged");
            console.awaitDepth("onbeat.task.purged", 0);
            turn(Duration.ofMinutes(1));
        });
        assertThat(books.number("select count(*) from run where schedule = 'purged' and republish_at is null"))
                .isEqualTo(FIRES);
        assertThat(messagesInTheOutbox()).isZero();
        goOn();
        startWorker("purged");
        allAreDoneOnce("purged");
    }

    @Test
    void aPromotionBeforeItsCommitIsMadeByTheNextLeaderInOrder() {
        crash(CrashPoint.PROMOTED, () -> {
            fireIntoAQueueWithoutWorkers("serial", ", overlap: queue, catch_up: all");
            cancel(books.text("select key from run where schedule = 'serial' order by fire_at limit 1"));
        });
        assertThat(books.texts("select state || ' ' || count(*) from run where schedule = 'serial' group by state"))
                .containsExactlyInAnyOrder("cancelled 1", "waiting " + (FIRES - 1));
        goOn();
        startWorker("serial");
        allAreDone("serial");
        assertThat(books.number("select count(*) from run where schedule = 'serial' and state = 'succeeded'"))
                .isEqualTo(FIRES - 1);
        assertThat(books.number("""
                        select count(*) from run as a join run as b on a.queue = b.queue and a.fire_at < b.fire_at
                        where a.queue = 'serial' and a.finished_at > b.started_at"""))
                .as("runs that began before an earlier one had ended")
                .isZero();
    }

    private void crashWhenDue(CrashPoint point, String schedule) {
        schedule(schedule, "");
        crash(point, () -> {
            awaitInForce(schedule);
            dueNow(schedule);
        });
    }

    /** @param drive what brings the leading beat to the point */
    private void crash(CrashPoint point, Runnable drive) {
        crash(point, Victim.crashingAt(point), drive);
    }

    private void crash(CrashPoint point, Map<String, String> settings, Runnable drive) {
        String name = point.name().toLowerCase(Locale.ROOT);
        Victim victim = new Victim(name, cluster.startBeat(Victim.named(name, cluster, settings)));
        try {
            drive.run();
            assertThat(victim.node().awaitExit(Duration.ofSeconds(60))).isEqualTo(Victim.KILLED);
        } finally {
            victim.node().kill9();
        }
        victim.awaitNothingUnderWay(books);
    }

    /** Another beat leads, at once: the lease of the dead one has run out. */
    private void goOn() {
        turn(Duration.ofSeconds(10));
        survivor = cluster.startBeat();
        books.await("select owner = ? from leader", survivor.name());
    }

    private void turn(Duration time) {
        books.turnClock(time);
    }

    private static void schedule(String name, String more) {
        cluster.schedules("schedules:\n  %s: {every: 1h, task: record-once, misfire_grace: 60d%s}\n"
                .formatted(name, more.contains("overlap") ? more : ", overlap: allow" + more));
    }

    private void awaitInForce(String schedule) {
        books.await("select count(*) = 1 from schedule where name = ?", schedule);
    }

    private void dueNow(String schedule) {
        awaitInForce(schedule);
        turn(Duration.ofHours(FIRES));
    }

    private void fireIntoAQueueWithoutWorkers(String name, String more) {
        schedule(name, ", queue: " + name + more);
        dueNow(name);
        books.await("select count(*) = ? from run where schedule = ?", FIRES, name);
        books.await("select count(*) = 0 from outbox");
    }

    // its leases outlast every turn of the clock
    private static void startWorker(String queue) {
        cluster.startWorker(Map.of("ONBEAT_QUEUES", queue + ":8", "ONBEAT_LEASE", "10h"));
    }

    private void claimAllForAWorkerThatIsNoMore(String schedule) {
        List<Claims.Wish> wishes = books.texts("select id || ' ' || key from run where schedule = ?", schedule).stream()
                .map(text -> text.split(" "))
                .map(run -> new Claims.Wish(new Attempt(Long.parseLong(run[0]), run[1], 1), UUID.randomUUID()))
                .toList();
        try {
            assertThat(Claims.claim(books.ledger(), "no-more", LEASE, wishes))
                    .hasSize(FIRES)
                    .hasOnlyElementsOfType(ClaimResult.Claimed.class);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void cancel(String key) {
        try (Connection connection = books.ledger().connection()) {
            Cancellations.cancel(connection, key);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private long runs(String schedule) {
        return books.number("select count(*) from run where schedule = ?", schedule);
    }

    private List<String> states(String schedule) {
        return books.texts("select distinct state || ' ' || failures from run where schedule = ?", schedule);
    }

    private long messagesInTheOutbox() {
        return books.number("select coalesce(sum(cardinality(run_ids)), 0) from outbox");
    }

    private void allAreDoneOnce(String schedule) {
        allAreDone(schedule);
        assertThat(states(schedule)).containsExactly("succeeded 0");
        assertThat(books.texts("select distinct attempt from run where schedule = ?", schedule))
                .containsExactly("1");
    }

    /** Every fire is a run that has ended, its effect is there once, and nothing is left of it. */
    private void allAreDone(String schedule) {
        books.await(
                "select count(*) = ? and count(finished_at) = ? from run where schedule = ?", FIRES, FIRES, schedule);
        books.await("select count(*) = 0 from outbox");
        assertThat(books.number("select count(distinct fire_at) from run where schedule = ?", schedule))
                .isEqualTo(FIRES);
        assertThat(books.number("select count(*) from skip")).isZero();
        assertThat(books.texts("select run_key from verify.effect where run_key like ?", schedule + "@%"))
                .containsExactlyInAnyOrderElementsOf(
                        books.texts("select key from run where schedule = ? and state = 'succeeded'", schedule));
        String queue = books.text("select queue from run where schedule = ? limit 1", schedule);
        console.awaitDepth("onbeat.task." + queue, 0);
    }
}
