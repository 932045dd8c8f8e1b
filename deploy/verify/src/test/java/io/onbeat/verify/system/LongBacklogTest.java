package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that only wait are not taken for lost: at full length. In seconds, HealthyBacklogTest shows the same. */
@Tag("long")
class LongBacklogTest {
    private static final Instant START = Instant.parse("2026-07-14T00:00:00Z");
    private static final Pattern PUBLISHED_AGAIN = Pattern.compile("(\\d+) runs .* published again");
    private static final int RUNS = 100_000;
    /** The schedule is taken over some seconds after the start. */
    private static final Instant END = START.plusSeconds(RUNS + 300);

    private static final Duration LEAST = Duration.ofMinutes(10);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @Test
    @Timeout(3_600)
    void ofAHealthyBacklogOf100000RunsThatLastsTenMinutesFewerThan100ArePublishedAgain() {
        books.setClock(START);
        cluster.schedules("""
                schedules:
                  many: {every: 1s, task: record, args: {millis: 48}, overlap: allow, misfire_grace: 60d}
                """);
        Node beat = cluster.startBeat();
        books.await("select count(*) = 1 from schedule");
        books.setClock(END);
        books.await(Duration.ofMinutes(5), "select count(*) >= ? from run", RUNS);
        long from = System.nanoTime();
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:4"));
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:4"));

        books.await(
                Duration.ofMinutes(50),
                "select count(*) >= ? from run where state = 'succeeded' and fire_at <= ?",
                RUNS,
                END);
        Duration lasted = Duration.ofNanos(System.nanoTime() - from);
        long republished = beat.logLines("published again").stream()
                .map(PUBLISHED_AGAIN::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
        System.out.printf(
                Locale.ROOT,
                "a backlog of %,d runs lasted %d s: %d published again, %d duplicates%n",
                RUNS,
                lasted.toSeconds(),
                republished,
                books.number("select sum(duplicates) from worker"));
        assertThat(lasted).isGreaterThan(LEAST);
        assertThat(republished).isLessThan(100);
        assertThat(books.number("select count(*) - count(distinct run_key) from verify.execution"))
                .isZero();
    }
}
