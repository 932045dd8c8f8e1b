package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.fault.CrashPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The leading beat has judged what is due, and stands still before it writes it. Another one takes the lead and fires the
 * same; then the first goes on with its judgement.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FreezePointBeatTest {
    private static final int FIRES = 24;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Books books;

    @BeforeAll
    void goOnAfterAnotherHasFired() {
        books = cluster.books();
        books.setClock(Instant.parse("2026-07-14T00:30:00Z"));
        cluster.schedules("""
                schedules:
                  in-time: {every: 1h, task: record-once, overlap: allow, misfire_grace: 60d}
                  late: {every: 1h, task: record-once, overlap: allow, misfire_grace: 1m, catch_up: none}
                """);
        Freeze freeze = Freeze.at(CrashPoint.JUDGED, cluster);
        Node frozen = cluster.startBeat(freeze.settings());
        books.await("select count(*) = 2 from schedule");
        books.turnClock(Duration.ofHours(FIRES));
        freeze.awaitIn(frozen);
        assertThat(books.number("select count(*) from run")).isZero();

        Node other = cluster.startBeat();
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:8"));
        books.await("select owner = ? from leader", other.name());
        books.await("select count(*) = ? from run where state = 'succeeded'", FIRES);
        freeze.end();
        frozen.awaitLog("standing by");
        books.await("select count(*) = 0 from outbox");
        books.await("select count(*) = 0 from run where open");
        assertThat(books.text("select owner from leader")).isEqualTo(other.name());
    }

    @Test
    void aFireThatAnotherBeatHasMadeARunIsNoSecondRun() {
        assertThat(books.texts("select fire_at from run"))
                .as("fires that became runs")
                .hasSize(FIRES)
                .doesNotHaveDuplicates();
        assertThat(books.texts("select run_key from verify.effect"))
                .as("effects")
                .hasSize(FIRES)
                .doesNotHaveDuplicates();
    }

    @Test
    void aFireThatAnotherBeatHasSkippedIsNotSkippedAgain() {
        assertThat(books.texts("select reason || ' ' || count from skip"))
                .as("skips")
                .containsExactly("missed " + FIRES);
    }
}
