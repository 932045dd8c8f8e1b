package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What waits for a server waits there where there is room for it: in the ledger, or in the broker. */
@Tag("long")
class LongOutageTest {
    private static final Map<String, String> SMALL = Map.of("_JAVA_OPTIONS", "-Xmx64m");
    private static final int SCHEDULES = 1_000;
    private static final Duration OUTAGE = Duration.ofSeconds(60);

    @TempDir
    static Path data;

    @RegisterExtension
    static final Cluster cluster = new Cluster(() -> new OwnServers(data));

    private final Books books = cluster.books();
    private final OwnServers servers = (OwnServers) cluster.servers();

    @Test
    @Timeout(1_800)
    void a64MegabyteHeapIsEnoughForAThousandFiresASecondWhileEitherServerIsAwayForAMinute() {
        StringBuilder schedules = new StringBuilder("schedules:\n");
        for (int i = 0; i < SCHEDULES; i++) {
            schedules.append("  s%d: {every: 1s, task: noop, overlap: allow, misfire_grace: 1h}\n".formatted(i));
        }
        cluster.schedules(schedules.toString());
        Node beat = cluster.startBeat(SMALL);
        Node worker = cluster.startWorker(Map.of("_JAVA_OPTIONS", "-Xmx64m", "ONBEAT_QUEUES", "default:64"));
        books.await("select count(*) >= ? from run where state = 'succeeded'", 3 * SCHEDULES);

        servers.rabbit().stop();
        stayAway();
        long waiting = books.number("select sum(cardinality(run_ids)) from outbox");
        servers.rabbit().start();
        assertThat(waiting).isGreaterThan(20L * SCHEDULES);
        servers.postgres().stop();
        stayAway();
        servers.postgres().restart();

        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> books.number("select 1") == 1);
        cluster.schedules("schedules: {}");
        books.await(Duration.ofMinutes(5), "select count(*) = 0 from schedule where removed_at is null");
        books.await(Duration.ofMinutes(15), "select count(*) = 0 from run where open");
        assertThat(books.texts("select distinct state from run")).containsExactly("succeeded");
        for (Node node : new Node[] {beat, worker}) {
            assertThat(node.isAlive()).isTrue();
            assertThat(node.log()).doesNotContain("OutOfMemoryError", "Exception in thread");
        }
    }

    private static void stayAway() {
        await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(5)).until(() -> true);
    }
}
