package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** kill -9 of a worker in the middle of its runs: every due fire has exactly one successful run. */
class KilledWorkerTest {
    private static final Instant START = Instant.parse("2026-07-14T00:30:00Z");
    private static final int FIRES = 200;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @Test
    void aWorkerKilledInTheMiddleOf200Runs() {
        books.setClock(START);
        cluster.schedules("""
                schedules:
                  orders: {every: 1h, task: record-once, args: {millis: 100}, overlap: allow, misfire_grace: 60d}
                """);
        cluster.startBeat();
        Node victim = cluster.startWorker();
        cluster.startWorker();
        books.await("select count(*) = 2 from worker where state = 'up'");
        books.await("select count(*) = 1 from schedule");

        books.setClock(START.plus(Duration.ofHours(FIRES)));
        books.await("""
                select count(*) filter (where state = 'succeeded') >= 40
                       and count(*) filter (where state = 'running' and lease_owner = ?) >= 4 from run""", victim.name());
        victim.kill9();

        books.await("select count(*) = ? from run where state = 'succeeded'", FIRES);
        assertThat(books.number("select count(*) from attempt where outcome = 'lost' and worker = ?", victim.name()))
                .as("runs that it was killed in")
                .isPositive();
        assertThat(books.number("select count(*) from run")).isEqualTo(FIRES);
        assertThat(books.number("select count(distinct fire_at) from run")).isEqualTo(FIRES);
        assertThat(books.number("select count(*) from verify.effect")).isEqualTo(FIRES);
        assertThat(books.number("select count(distinct run_key) from verify.effect"))
                .isEqualTo(FIRES);
        assertThat(books.number("select count(*) from skip")).isZero();
    }
}
