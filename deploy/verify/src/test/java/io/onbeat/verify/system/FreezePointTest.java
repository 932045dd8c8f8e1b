package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.fault.CrashPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
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
    void aBeatThatStandsStillBeforeItsCommitFiresNothingTwice() throws IOException {
        schedule("frozen-beat");
        Path file = Files.createFile(cluster.folder().resolve("frozen-beat"));
        Node frozen = cluster.startBeat(freezingAt(CrashPoint.FIRE_WRITTEN, file));
        books.await("select count(*) = 1 from schedule where name = 'frozen-beat'");
        books.turnClock(Duration.ofHours(FIRES));
        frozen.awaitLog("standing still at FIRE_WRITTEN");
        Node other = cluster.startBeat();
        books.await("select owner = ? from leader", other.name());
        books.await("select count(*) = ? from run where schedule = 'frozen-beat'", FIRES);

        Files.delete(file);
        frozen.awaitLog("standing by");
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen-beat:8"));
        allSucceedOnce("frozen-beat", 0);
        assertThat(books.text("select owner from leader")).isEqualTo(other.name());
        frozen.kill9();
        other.sigterm();
        other.awaitExit(Duration.ofSeconds(30));
    }

    @Test
    void aWorkerThatStandsStillBeforeItsTransactionsCommitLosesIt() throws IOException {
        schedule("frozen-worker");
        Node beat = cluster.startBeat();
        books.await("select count(*) = 1 from schedule where name = 'frozen-worker'");
        books.turnClock(Duration.ofHours(FIRES));
        books.await("select count(*) = ? from run where schedule = 'frozen-worker'", FIRES);
        Path file = Files.createFile(cluster.folder().resolve("frozen-worker"));
        Map<String, String> settings = new HashMap<>(freezingAt(CrashPoint.TRANSACTION_WRITTEN, file));
        settings.put("ONBEAT_QUEUES", "frozen-worker:1");
        Node frozen = cluster.startWorker(settings);
        frozen.awaitLog("standing still at TRANSACTION_WRITTEN");
        signal(frozen, "STOP");

        cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen-worker:8"));
        books.await("select count(*) = 1 from attempt where outcome = 'lost' and worker = ?", frozen.name());
        books.await("select count(*) = 1 from run where state = 'succeeded' and attempt = 2");
        Files.delete(file);
        signal(frozen, "CONT");
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

    private static Map<String, String> freezingAt(CrashPoint point, Path file) {
        return Map.of("JAVA_TOOL_OPTIONS", "-Donbeat.freeze-at=" + point + " -Donbeat.freeze-while=" + file);
    }

    private static void signal(Node node, String name) throws IOException {
        new ProcessBuilder("kill", "-s", name, Long.toString(node.process().pid()))
                .inheritIO()
                .start()
                .onExit()
                .join();
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
