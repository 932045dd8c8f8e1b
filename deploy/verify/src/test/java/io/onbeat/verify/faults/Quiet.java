package io.onbeat.verify.faults;

import io.onbeat.verify.faults.check.Expectations;
import io.onbeat.verify.faults.check.Queues;
import io.onbeat.verify.system.Books;
import io.onbeat.verify.system.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** How it ends: the faults are over, no schedule is in force any more, and what was due is done within a bounded time. */
final class Quiet {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration TELL_EVERY = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final String OPEN = """
            select count(*) || ' schedules in force' from schedule where removed_at is null having count(*) > 0
            union all select count(*) || ' ' || state || ' of ' || queue from run where open group by state, queue
            union all select count(*) || ' in the outbox' from outbox having count(*) > 0""";

    private Quiet() {}

    /** Returns when nothing is open, or when the time for that is over: the checker then finds what is. */
    static Expectations await(Cluster cluster, Diary diary) throws Exception {
        Books books = cluster.books();
        Instant to = Instant.parse(
                books.text("select to_char(clock() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"));
        diary.say("no more faults; nothing may be open in " + LIMIT.toSeconds() + " s");
        cluster.schedules(Load.NONE);
        long limit = System.nanoTime() + LIMIT.toNanos();
        String open = open(cluster);
        while (!open.isEmpty() && System.nanoTime() < limit) {
            try {
                Awaitility.await()
                        .atMost(TELL_EVERY)
                        .pollInterval(LOOK_EVERY)
                        .until(() -> open(cluster).isEmpty());
            } catch (ConditionTimeoutException notYet) {
                diary.say("open: " + open(cluster));
            }
            open = open(cluster);
        }
        return new Expectations(to, queues(cluster), diary.deadMessages());
    }

    /** What there is to do still; a duplicate of a run that is done may be under way, too. */
    private static String open(Cluster cluster) throws Exception {
        return Stream.concat(
                        cluster.books().texts(OPEN).stream(),
                        queues(cluster).depths().entrySet().stream()
                                .filter(queue -> queue.getValue() > 0)
                                .map(queue -> queue.getValue() + " in " + queue.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static Queues queues(Cluster cluster) throws Exception {
        return Queues.read(cluster.servers().vhost().amqpUrl(), cluster.books());
    }
}
