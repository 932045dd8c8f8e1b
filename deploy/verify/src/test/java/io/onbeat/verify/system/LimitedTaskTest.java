package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.RunNow;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hundred triggers at once of a task with a limit, on three workers, two of which are killed, while the limit is changed. */
@Timeout(600)
class LimitedTaskTest {
    private static final int TRIGGERS = 100;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    private static void limit(int runs) {
        cluster.schedules("""
                tasks: {crowd: {max_concurrency: %d}}
                schedules:
                  crowd:
                    {at: "2040-01-01T00:00:00Z", task: crowd, args: {millis: 200}, overlap: allow,
                     retry: {max_attempts: 9, delays: [1s]}}
                """.formatted(runs));
    }

    @Test
    void neverMoreThanTheLimitAreAtWorkAndAllSucceed() throws Exception {
        books.execute("""
                create table verify.crowd (run_key text, attempt int, at_work int, at timestamptz default clock_timestamp())""");
        limit(3);
        cluster.startBeat();
        List<Node> workers = List.of(cluster.startWorker(), cluster.startWorker(), cluster.startWorker());
        books.await(LIMIT, "select count(*) = 3 from worker where state = 'up'");
        books.await(LIMIT, "select exists (select from task_limit where max_concurrency = 3)");
        Instant start = cluster.books().ledger().now();
        triggerAtOnce();

        kill(workers.get(0), 5);
        kill(workers.get(1), 15);
        cluster.startWorker();
        books.await(LIMIT, "select count(*) >= 30 from run where state = 'succeeded'");

        limit(1);
        books.await(LIMIT, "select max_concurrency = 1 from task_limit");
        books.await(LIMIT, "select count(*) <= 1 from run where state = 'running'");
        Instant lowered = cluster.books().ledger().now();
        long succeeded = books.number("select count(*) from run where state = 'succeeded'");
        books.await(LIMIT, "select count(*) >= ? from run where state = 'succeeded'", succeeded + 4);
        Instant raising = cluster.books().ledger().now();
        limit(4);

        books.await(LIMIT, "select count(*) = ? from run where state = 'succeeded'", TRIGGERS);
        System.out.printf(
                Locale.ROOT,
                "%d runs of 200 ms with limits 3, 1 and 4 and two killed workers took %.1f s%n",
                TRIGGERS,
                Duration.between(start, cluster.books().ledger().now()).toMillis() / 1_000.0);
        assertThat(books.number("select count(distinct run_key) from verify.crowd"))
                .isEqualTo(TRIGGERS);
        assertThat(books.number("select count(*) from attempt where outcome <> 'lost'"))
                .isZero();
        assertThat(books.number("select sum(attempt) from run"))
                .as("attempts: failures and successes; to wait is neither")
                .isEqualTo(books.number("""
                        select sum(failures) + count(*) from run"""));
        String mostAtWork = "select max(at_work) from verify.crowd where at > ?::timestamptz and at < ?::timestamptz";
        assertThat(books.number(mostAtWork, start.toString(), lowered.toString()))
                .isEqualTo(3);
        assertThat(books.number(mostAtWork, lowered.toString(), raising.toString()))
                .isEqualTo(1);
        assertThat(books.number(mostAtWork, raising.toString(), "infinity")).isEqualTo(4);
        assertThat(mostUnderALease(start, raising)).isEqualTo(3);
        assertThat(mostUnderALease(start, start.plusSeconds(3_600))).isEqualTo(4);
        books.await(LIMIT, "select count(*) = 0 from permit");
    }

    private static void triggerAtOnce() throws Exception {
        List<Callable<RunNow.Outcome>> triggers = new ArrayList<>();
        for (int i = 0; i < TRIGGERS; i++) {
            String id = "t" + i;
            triggers.add(() -> trigger(id));
        }
        ExecutorService people = Executors.newFixedThreadPool(4);
        try {
            for (Future<RunNow.Outcome> outcome : people.invokeAll(triggers)) {
                assertThat(outcome.get()).isInstanceOf(RunNow.Outcome.Queued.class);
            }
        } finally {
            people.shutdownNow();
        }
    }

    private static RunNow.Outcome trigger(String id) throws SQLException {
        return new RunNow(cluster.books().ledger()).trigger("crowd", Optional.empty(), Optional.of(id), "test");
    }

    /** Kills it while it holds permits, when so many have succeeded. */
    private void kill(Node worker, int succeeded) {
        books.await(LIMIT, """
                select count(*) filter (where state = 'succeeded') >= ?
                       and count(*) filter (where state = 'running' and lease_owner = ?) > 0 from run""", succeeded, worker.name());
        worker.kill9();
    }

    /** By the attempts' times in the ledger: the most that were under a lease at the start of any of them. */
    private long mostUnderALease(Instant from, Instant to) {
        return books.number("""
                with span as (
                    select started_at as begun, finished_at as ended from run
                    union all
                    select started_at, finished_at from attempt
                )
                select max((select count(*) from span as other where other.begun <= span.begun and other.ended > span.begun))
                from span where begun >= ?::timestamptz and begun < ?::timestamptz""", from.toString(), to.toString());
    }
}
