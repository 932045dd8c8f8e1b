package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Another one takes over, after a crash when the lease has run out, after a stop at once; no fire is lost. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TakeOverTest {
    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private static Node leader;
    private static Node standby;

    private final Books books = cluster.books();

    @Test
    @Order(1)
    void aStandbyTakesOverFromAKilledLeader() {
        cluster.schedules("""
                schedules:
                  tick: {every: 1s, task: record, overlap: allow, misfire_grace: 1h}
                """);
        leader = cluster.startBeat();
        books.await("select count(*) = 1 from leader where owner = ?", leader.name());
        standby = cluster.startBeat();
        cluster.startWorker();
        standby.awaitLog("beat beat-2 runs");
        books.await("select count(*) >= 2 from run where state = 'succeeded'");

        leader.kill9();
        assertThat(untilTheOtherFires())
                .as("the lease of 3 s runs out, renewed up to 500 ms ago")
                .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(30));
        theFiresHaveNoGap();
    }

    @Test
    @Order(2)
    void aStandbyTakesOverAtOnceFromALeaderThatIsStopped() {
        Map<String, String> longLease = Map.of("ONBEAT_LEADER_LEASE", "60s");
        standby.kill9();
        leader = cluster.startBeat(longLease);
        books.await("select owner = ? and lease_until > clock() from leader", leader.name());
        standby = cluster.startBeat(longLease);
        standby.awaitLog("beat " + standby.name() + " runs");

        leader.sigterm();
        assertThat(untilTheOtherFires()).as("far below the lease of 60 s").isLessThan(Duration.ofSeconds(30));
        leader.awaitExit(Duration.ofSeconds(20));
        theFiresHaveNoGap();
    }

    @SuppressWarnings("try") // the lock is there to be held
    @Test
    @Order(3)
    void b27_aWorkerThatIsStoppedFinishesWhatItRunsAndTakesNothingNew() {
        cluster.schedules("""
                schedules:
                  held: {at: "2040-01-01T00:00:00Z", task: while-held, overlap: allow, queue: slow}
                """);
        Node worker = cluster.startWorker(Map.of("ONBEAT_QUEUES", "slow:1"));
        books.await("select count(*) = 1 from schedule where name = 'held'");
        String running;
        String waiting;
        try (Hold hold = Hold.tasks(cluster.servers().database())) {
            running = trigger();
            books.await("select state = 'running' from run where key = ?", running);
            waiting = trigger();
            cluster.console().awaitDepth("onbeat.task.slow", 2);
            worker.sigterm();
            books.await("select state = 'draining' from worker where id = ?", worker.name());
            assertThat(worker.isAlive()).isTrue();
        }
        books.await("select state = 'succeeded' from run where key = ?", running);
        worker.awaitExit(Duration.ofSeconds(20));
        assertThat(books.text("select state from worker where id = ?", worker.name()))
                .isEqualTo("stopped");
        assertThat(books.text("select state || ' ' || attempt from run where key = ?", waiting))
                .isEqualTo("queued 0");

        cluster.startWorker(Map.of("ONBEAT_QUEUES", "slow:1"));
        books.await("select state = 'succeeded' from run where key = ?", waiting);
        assertThat(books.number("select count(*) from attempt")).isZero();
    }

    private String trigger() {
        CommandLine.Answer answer = cluster.onbeat("trigger", "held");
        assertThat(answer.exitCode()).as(answer.toString()).isZero();
        return books.text("select key from run where schedule = 'held' order by id desc limit 1");
    }

    /** From now until the leader that stands by now has fired a run. */
    private Duration untilTheOtherFires() {
        long from = System.nanoTime();
        books.await("select owner = ? and lease_until > clock() from leader", standby.name());
        String last = books.text("select max(fire_at) from run");
        books.await("select max(fire_at) > ?::timestamptz from run", last);
        return Duration.ofNanos(System.nanoTime() - from);
    }

    private void theFiresHaveNoGap() {
        assertThat(books.number("""
                select count(*) - 1 - extract(epoch from max(fire_at) - min(fire_at))::int from run where schedule = 'tick'""")).isZero();
        assertThat(books.number("select count(*) from skip")).isZero();
        books.await(
                "select count(*) = 0 from run where open and fire_at < ?",
                Instant.now().minusSeconds(3));
        assertThat(books.number("select count(*) - count(distinct run_key) from verify.execution"))
                .isZero();
    }
}
