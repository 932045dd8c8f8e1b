package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.fault.CrashPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A process that stands still with a transaction open blocks nobody, and when it wakes it has lost what it held. */
class FreezePointTest {
    private static final int FIRES = 24;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @BeforeAll
    static void startClock() {
        cluster.books().setClock(Instant.parse("2026-07-14T00:30:00Z"));
    }

    @Test
    void aBeatThatStandsStillBeforeItsCommitFiresNothingTwice() {
        schedule("frozen-beat");
        Freeze freeze = Freeze.at(CrashPoint.FIRE_WRITTEN, cluster);
        Node frozen = cluster.startBeat(freeze.settings());
        books.await("select count(*) = 1 from schedule where name = 'frozen-beat'");
        books.turnClock(Duration.ofHours(FIRES));
        freeze.awaitIn(frozen);
        Node other = cluster.startBeat();
        books.await("select owner = ? from leader", other.name());
        books.await("select count(*) = ? from run where schedule = 'frozen-beat'", FIRES);

        freeze.end();
        frozen.awaitLog("standing by");
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen-beat:8"));
        allSucceedOnce("frozen-beat", 0);
        assertThat(books.text("select owner from leader")).isEqualTo(other.name());
        frozen.kill9();
        other.sigterm();
        other.awaitExit(Duration.ofSeconds(30));
    }

    @SuppressWarnings("try") // it is there to be frozen
    @Test
    void aWorkerThatStandsStillBeforeItsTransactionsCommitLosesIt() {
        schedule("frozen-worker");
        Node beat = cluster.startBeat();
        books.await("select count(*) = 1 from schedule where name = 'frozen-worker'");
        books.turnClock(Duration.ofHours(FIRES));
        books.await("select count(*) = ? from run where schedule = 'frozen-worker'", FIRES);
        Freeze freeze = Freeze.at(CrashPoint.TRANSACTION_WRITTEN, cluster);
        Node frozen = cluster.startWorker(freeze.settings(Map.of("ONBEAT_QUEUES", "frozen-worker:1")));
        freeze.awaitIn(frozen);
        try (Frozen whole = Frozen.of(frozen)) {
            cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen-worker:8"));
            books.await("select count(*) = 1 from attempt where outcome = 'lost' and worker = ?", frozen.name());
            books.await("select count(*) = 1 from run where state = 'succeeded' and attempt = 2");
            freeze.end();
        }
        frozen.awaitLog("discarding the outcome of");
        allSucceedOnce("frozen-worker", 1);
        beat.sigterm();
        beat.awaitExit(Duration.ofSeconds(30));
    }

    @Test
    void aPointThatThereIsNotEndsTheStart() {
        Map<String, String> wrong = Map.of("JAVA_TOOL_OPTIONS", "-Donbeat.freeze-at=FIERD");
        for (Node node : List.of(cluster.startBeat(wrong), cluster.startWorker(wrong))) {
            assertThat(node.awaitExit(Duration.ofSeconds(60))).as(node.name()).isEqualTo(2);
            assertThat(node.log()).contains("-Donbeat.freeze-at=FIERD").contains("FIRE_WRITTEN");
        }
    }

    private static void schedule(String name) {
        cluster.schedules(
                "schedules:\n  %1$s: {every: 1h, task: record-once, queue: %1$s, overlap: allow, misfire_grace: 60d}\n"
                        .formatted(name));
    }

    private void allSucceedOnce(String schedule, long failures) {
        books.await("select count(*) = ? from run where schedule = ? and state = 'succeeded'", FIRES, schedule);
        books.await("select count(*) = 0 from outbox");
        assertThat(books.number("select count(distinct fire_at) from run where schedule = ?", schedule))
                .isEqualTo(FIRES);
        assertThat(books.number("select sum(failures) from run where schedule = ?", schedule))
                .isEqualTo(failures);
        assertThat(books.texts("select run_key from verify.effect where run_key like ?", schedule + "@%"))
                .containsExactlyInAnyOrderElementsOf(books.texts("select key from run where schedule = ?", schedule));
        assertThat(books.number("select count(*) from skip")).isZero();
    }
}
