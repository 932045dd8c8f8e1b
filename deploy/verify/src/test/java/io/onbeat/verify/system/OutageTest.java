package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Each server is away for a while under load; nothing of ours is started anew, and no due fire is lost or done twice. */
@Order(1)
class OutageTest {
    private static final Duration OUTAGE = Duration.ofSeconds(20);
    private static final Duration RECOVERY = Duration.ofSeconds(30);
    private static final int SCHEDULES = 20;

    @TempDir
    static Path data;

    @RegisterExtension
    static final Cluster cluster = new Cluster(() -> new OwnServers(data));

    private final Books books = cluster.books();
    private final OwnServers servers = (OwnServers) cluster.servers();

    @Test
    @Timeout(240)
    void rabbitAndPostgresStoppedForTwentySecondsEach() {
        StringBuilder schedules = new StringBuilder("schedules:\n");
        for (int i = 0; i < SCHEDULES; i++) {
            schedules.append("""
                      load-%d: {every: 1s, task: record-once, args: {millis: 20}, overlap: allow, misfire_grace: 1h,
                                retry: {max_attempts: 5, delays: [1s]}}
                    """.formatted(i).indent(2));
        }
        cluster.schedules(schedules.toString());
        Node beat = cluster.startBeat();
        Node first = cluster.startWorker();
        Node second = cluster.startWorker();
        books.await("select count(*) >= ? from run where state = 'succeeded'", 3 * SCHEDULES);

        servers.rabbit().stop();
        long mark = books.number("select max(id) from run");
        stayAway();
        books.await("select count(*) > ? from run", mark + 10 * SCHEDULES);
        servers.rabbit().start();
        double rabbit = secondsUntilAllThatWasDueIsDone("RabbitMQ");

        servers.postgres().stop();
        stayAway();
        servers.postgres().restart();
        double postgres = secondsUntilAllThatWasDueIsDone("PostgreSQL");

        assertThat(new Node[] {beat, first, second}).allMatch(Node::isAlive);
        cluster.schedules("schedules: {}");
        books.await("select count(*) = 0 from schedule where removed_at is null");
        books.await("select count(*) = 0 from run where open");
        everyFireHasOneSuccess();
        assertThat(rabbit).isLessThan(RECOVERY.toSeconds());
        assertThat(postgres).isLessThan(RECOVERY.toSeconds());
    }

    /** The one wait in real time of all these tests: an outage that is shorter shows less. */
    private static void stayAway() {
        await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(5)).until(() -> true);
    }

    private double secondsUntilAllThatWasDueIsDone(String server) {
        long from = System.nanoTime();
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> books.number("select count(*) from schedule where watermark > clock() - interval '2 s'")
                        == SCHEDULES);
        books.await(
                Duration.ofSeconds(60),
                "select count(*) = 0 from run where open and fire_at <= ?::timestamptz",
                books.text("select min(watermark) from schedule"));
        double seconds = (System.nanoTime() - from) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%s away for %d s: all that was due by then was done %.1f s after it was back%n",
                server,
                OUTAGE.toSeconds(),
                seconds);
        return seconds;
    }

    private void everyFireHasOneSuccess() {
        assertThat(books.texts("select distinct state from run")).containsExactly("succeeded");
        assertThat(books.number("select count(*) from verify.effect"))
                .isEqualTo(books.number("select count(*) from run"));
        assertThat(books.number("select count(distinct run_key) from verify.effect"))
                .isEqualTo(books.number("select count(*) from run"));
        assertThat(books.number("select count(*) from skip")).isZero();
        assertThat(books.texts("""
                select schedule from run group by schedule
                having count(*) <> 1 + extract(epoch from max(fire_at) - min(fire_at))"""))
                .as("schedules with a gap between their first and their last fire")
                .isEmpty();
    }
}
