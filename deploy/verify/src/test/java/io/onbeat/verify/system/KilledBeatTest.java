package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** kill -9 of the beat at both ends of a batch of 1,000 fires: every due fire has exactly one successful run. */
class KilledBeatTest {
    private static final Instant START = Instant.parse("2026-07-14T00:30:00Z");
    private static final int FIRES = 1_000;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @SuppressWarnings("try") // the lock is there to be held
    @Test
    void aBeatKilledBeforeAndAfterItsTransaction() {
        books.setClock(START);
        cluster.schedules("""
                schedules:
                  orders: {every: 1h, task: record-once, overlap: allow, misfire_grace: 60d}
                """);
        Node beat = cluster.startBeat();
        books.await("select count(*) = 1 from schedule");

        // runs and watermark are written, the outbox entry is not, nothing is committed
        try (Hold hold = Hold.outbox(cluster.servers().database())) {
            books.setClock(START.plus(Duration.ofHours(FIRES)));
            books.await(waitsFor("insert into outbox%"));
            beat.kill9();
        }
        books.await(
                "select count(*) = 0 from pg_stat_activity where query like 'insert into outbox%' and state = 'active'");
        assertThat(books.number("select count(*) from run")).isZero();

        // all is committed and published, the outbox entry has not gone yet
        try (Hold hold = Hold.removals(cluster.servers().database(), books)) {
            Node second = cluster.startBeat();
            books.await(waitsFor("delete from outbox%"));
            second.kill9();
            // else the database would still finish what the dead one asked for
            books.texts("select pg_terminate_backend(pid) from (" + waiting("delete from outbox%") + ") w");
        }
        assertThat(books.number("select count(*) from run")).isEqualTo(FIRES);
        assertThat(books.number("select sum(cardinality(run_ids)) from outbox")).isEqualTo(FIRES);

        // so every message comes twice
        cluster.startBeat();
        books.await("select count(*) = 0 from outbox");
        cluster.startWorker();
        books.await("select count(*) = ? from run where state = 'succeeded'", FIRES);
        books.await("select sum(duplicates) = ? from worker", FIRES);
        cluster.console().awaitDepth("onbeat.task.default", 0);
        assertThat(books.number("select count(*) from run")).isEqualTo(FIRES);
        assertThat(books.number("select count(distinct fire_at) from run")).isEqualTo(FIRES);
        assertThat(books.number("select count(*) from verify.effect")).isEqualTo(FIRES);
        assertThat(books.number("select count(distinct run_key) from verify.effect"))
                .isEqualTo(FIRES);
        assertThat(books.number("select count(*) from skip")).isZero();
    }

    private static String waitsFor(String statement) {
        return "select exists (" + waiting(statement) + ")";
    }

    private static String waiting(String statement) {
        return "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '" + statement + "'";
    }
}
