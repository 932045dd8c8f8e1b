package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.RunNow;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ten runs settle the points of one period, and workers die under them: every account is settled exactly once. */
class SettlePointsTest {
    private static final int ACCOUNTS = 10_000;
    private static final int TRIGGERS = 10;
    private static final int KILLS = 3;
    private static final long SEED = 20_260_714;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final Random random = new Random(SEED);

    @Test
    void tenTriggersForOnePeriodWhileWorkersAreKilled() throws SQLException {
        cluster.schedules("""
                schedules:
                  settle-points:
                    at: "2040-01-01T00:00:00Z"
                    task: settle-points
                    args: {period: "2026-07", batch: 10}
                    overlap: allow
                    retry: {max_attempts: 10, delays: [1s]}
                """);
        cluster.startBeat();
        List<Node> workers = new ArrayList<>();
        for (int worker = 0; worker < KILLS; worker++) {
            workers.add(startWorker());
        }
        workers.forEach(worker -> worker.awaitLog("consuming onbeat.task.default"));
        books.await("select count(*) = 1 from schedule");
        for (int time = 0; time < TRIGGERS; time++) {
            assertThat(new RunNow(books.ledger())
                            .trigger("settle-points", Optional.empty(), Optional.of("ask-" + time), "test"))
                    .isInstanceOf(RunNow.Outcome.Queued.class);
        }
        books.await("select to_regclass('demo.ready') is not null");
        long points = books.number("select sum(balance + pending) from demo.account");
        Collections.shuffle(workers, random);
        int settled = 0;
        for (Node victim : workers) {
            settled += random.nextInt(ACCOUNTS / 10);
            books.await("""
                    select (select count(*) from demo.settlement) >= ?
                           and exists (select from run where state = 'running' and lease_owner = ?)""", settled, victim.name());
            victim.kill9();
            startWorker();
        }

        books.await("select count(*) = 0 from run where open");
        assertThat(books.texts("select distinct state from run order by state")).doesNotContain("dead", "cancelled");
        assertThat(books.number("select count(*) from run")).isEqualTo(TRIGGERS);
        assertThat(books.number("select count(*) from attempt where outcome = 'lost'"))
                .as("attempts that were killed")
                .isPositive();
        everyAccountIsSettledOnce(points);
    }

    private Node startWorker() {
        return cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:3"));
    }

    private void everyAccountIsSettledOnce(long points) {
        assertThat(books.number("select count(*) from demo.settlement where period = '2026-07'"))
                .isEqualTo(ACCOUNTS);
        assertThat(books.number("select count(distinct account_id) from demo.settlement"))
                .isEqualTo(ACCOUNTS);
        assertThat(books.number("""
                select count(*) from demo.account a join demo.settlement s on s.account_id = a.id
                where a.pending <> 0 or a.balance <> s.points""")).as("accounts settled twice or in part").isZero();
        assertThat(books.number("select sum(balance) from demo.account")).isEqualTo(points);
        assertThat(books.number("select sum(points) from demo.settlement")).isEqualTo(points);
    }
}
