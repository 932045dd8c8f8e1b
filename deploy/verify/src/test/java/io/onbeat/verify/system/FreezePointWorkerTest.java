package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.fault.CrashPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workers stand still past their leases with an attempt in hand: one before its settle, one before the fence of its
 * transaction, one in a task that will not be interrupted. They wake while other workers have the second attempts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FreezePointWorkerTest {
    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Books books;
    private Node settling;
    private Node committing;

    @SuppressWarnings("try") // the locks are there to be held
    @BeforeAll
    void wakeInTheSecondAttempts() {
        books = cluster.books();
        books.setClock(Instant.parse("2026-07-14T00:30:00Z"));
        cluster.schedules("""
                defaults: {misfire_grace: 1d, retry: {max_attempts: 4, delays: [1s]}}
                schedules:
                  settled: {every: 1h, task: as-planned, queue: settled, args: {held: true, failures: 1}}
                  committed: {every: 1h, task: as-planned, queue: committed, args: {held: true}}
                  renewed: {every: 1h, task: as-planned, queue: renewed, args: {held: true, outside: true}}
                """);
        cluster.startBeat();
        books.await("select count(*) = 3 from schedule");
        books.turnClock(Duration.ofHours(1));
        Freeze beforeTheSettle = Freeze.at(CrashPoint.FINISHED, cluster);
        Freeze beforeTheFence = Freeze.at(CrashPoint.TRANSACTION_WORKED, cluster);
        Freeze inTheTask = Freeze.at(CrashPoint.EXECUTED, cluster);
        settling = startWorker("settled", beforeTheSettle);
        committing = startWorker("committed", beforeTheFence);
        Node working = startWorker("renewed", inTheTask);
        beforeTheSettle.awaitIn(settling);
        beforeTheFence.awaitIn(committing);
        inTheTask.awaitIn(working);

        try (Hold hold = Hold.tasks(cluster.servers().database())) {
            Node second;
            try (Frozen first = Frozen.of(settling);
                    Frozen another = Frozen.of(committing);
                    Frozen third = Frozen.of(working)) {
                second = cluster.startWorker(Map.of("ONBEAT_QUEUES", "renewed:1"));
                awaitAttempt(2, "renewed");
                cluster.startWorker(Map.of("ONBEAT_QUEUES", "settled:1,committed:1,renewed:1"));
                awaitAttempt(2, "settled");
                awaitAttempt(2, "committed");
                beforeTheSettle.end();
                beforeTheFence.end();
            }
            // a worker that ends has settled, or discarded, all that it had
            settling.sigterm();
            committing.sigterm();
            settling.awaitExit(Duration.ofSeconds(60));
            committing.awaitExit(Duration.ofSeconds(60));
            second.kill9();
        }
    }

    private static Node startWorker(String queue, Freeze freeze) {
        // with room for no other message: the second attempt's must not wait here
        return cluster.startWorker(freeze.settings(Map.of("ONBEAT_QUEUES", queue + ":1", "ONBEAT_PREFETCH", "1")));
    }

    private void awaitAttempt(int attempt, String queue) {
        books.await("""
                select exists (select from run join verify.execution using (attempt)
                               where key = run_key and state = 'running' and queue = ? and attempt = ?)""", queue, attempt);
    }

    @Test
    void theOutcomeOfAnAttemptThatHasLostItsLeaseIsNotThatOfTheNext() {
        awaitEnd("settled");
        assertThat(run("settled")).isEqualTo("succeeded in attempt 2 after 1 failures");
        assertThat(attempts("execution", "settled")).containsExactly("1", "2");
        assertThat(attempts("effect", "settled")).containsExactly("2");
        assertThat(settling.log()).contains("discarding the outcome of");
    }

    @Test
    void theTransactionOfAnAttemptThatHasLostItsLeaseDoesNotCommit() {
        awaitEnd("committed");
        assertThat(attempts("effect", "committed"))
                .as("attempts whose transaction committed")
                .containsExactly("2");
        assertThat(run("committed")).isEqualTo("succeeded in attempt 2 after 1 failures");
        assertThat(attempts("execution", "committed")).containsExactly("1", "2");
        assertThat(committing.log()).contains("discarding the outcome of");
    }

    @Test
    void aWorkerThatHasLostALeaseDoesNotKeepUpTheNextOwners() {
        awaitEnd("renewed");
        assertThat(run("renewed")).isEqualTo("succeeded in attempt 3 after 2 failures");
        assertThat(attempts("execution", "renewed")).containsExactly("1", "2", "3");
    }

    private void awaitEnd(String schedule) {
        books.await("select not open from run where schedule = ?", schedule);
    }

    private String run(String schedule) {
        return books.text(
                "select state || ' in attempt ' || attempt || ' after ' || failures || ' failures' from run"
                        + " where schedule = ?",
                schedule);
    }

    private List<String> attempts(String table, String schedule) {
        return books.texts(
                "select attempt from verify." + table + " where run_key like ? order by attempt", schedule + "@%");
    }
}
