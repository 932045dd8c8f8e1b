package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SettlePointsTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    private static DemoDatabase database;
    private static DataSource source;

    @BeforeAll
    static void create() throws SQLException {
        database = new DemoDatabase();
        source = database.source("settle");
        DemoData.ensure(source);
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void unsettle() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "update demo.account set pending = pending + balance, balance = 0; delete from demo.settlement");
        }
    }

    private static TaskTest test(String args) {
        return TaskTest.of(new SettlePoints()).fireTime(FIRE_TIME).args(args).ledger(source);
    }

    private static SettlePoints.Settled settled(String args) {
        return test(args).run().result(SettlePoints.Settled.class);
    }

    /** The proof that docs/tasks.md gives. */
    private static void assertEachSettledOnce(String period) throws SQLException {
        assertThat(database.query(
                        "select count(*) || ' of ' || count(distinct account_id) from demo.settlement where period = '"
                                + period + "'"))
                .isEqualTo("10000 of 10000");
        assertThat(database.query("select count(*) from demo.account a where a.balance <>"
                        + " (select coalesce(sum(s.points), 0) from demo.settlement s where s.account_id = a.id)"))
                .isEqualTo("0");
        assertThat(
                        database.query(
                                "select sum(a.pending + a.balance) - (select sum(1 + demo.pick('pending ' || id, 500)) from demo.account)"
                                        + " - (select coalesce(sum(cents / 100), 0) from demo.orders where id > 50000) from demo.account a"))
                .isEqualTo("0");
    }

    @Test
    void settlesEveryAccountOnceInAPeriod() throws Exception {
        assertThat(settled("{\"period\": \"minute\"}")).isEqualTo(new SettlePoints.Settled("2026-07-14T18:05", 10_000));
        assertThat(test("{\"period\": \"minute\"}").run())
                .isEqualTo(new TaskOutcome.Skipped("every account is settled for 2026-07-14T18:05"));
        assertEachSettledOnce("2026-07-14T18:05");
        assertThat(settled("{\"period\": \"July\", \"batch\": 3000}"))
                .isEqualTo(new SettlePoints.Settled("July", 10_000));
        assertEachSettledOnce("July");
    }

    @Test
    void settlesOnceWhileWorkersDieAndOrdersComeIn() throws Exception {
        AtomicInteger placed = new AtomicInteger();
        CompletableFuture<Void> done = new CompletableFuture<>();
        TaskTest orders = TaskTest.of(new PlaceOrders()).args("{\"count\": 40}").ledger(database.source("shop"));
        FutureTask<Void> shop = new FutureTask<>(() -> {
            while (!done.isDone()) {
                Instant at = FIRE_TIME.plusSeconds(placed.getAndIncrement());
                orders.fireTime(at).run().result();
            }
            return null;
        });
        Killer killer = Killer.start(database, "settle", "demo.settlement", 100);
        new Thread(shop, "shop").start();
        int cuts;
        try {
            DemoDatabase.together(10, () -> {
                for (int attempt = 1; ; attempt++) {
                    TaskOutcome outcome =
                            test("{\"batch\": 50}").attempt(attempt).run();
                    if (!(outcome instanceof TaskOutcome.Failed)) {
                        return outcome;
                    }
                    DemoDatabase.assertCut(outcome.thrown());
                }
            });
        } finally {
            done.complete(null);
            cuts = killer.stop();
        }
        shop.get(30, TimeUnit.SECONDS);
        assertThat(cuts).as("connections cut").isGreaterThan(5);
        assertThat(placed.get()).as("runs that placed orders").isPositive();
        assertEachSettledOnce("2026-07-14");
    }

    @Test
    void stopsBetweenTwoBatchesAndGoesOnLater() throws Exception {
        assertThat(test("{\"batch\": 70}").stopping().run().thrown()).isInstanceOf(InterruptedException.class);
        assertThat(database.query("select count(*) from demo.settlement")).isEqualTo("70");
        assertThat(settled("{}")).isEqualTo(new SettlePoints.Settled("2026-07-14", 9_930));
        assertEachSettledOnce("2026-07-14");
    }

    @Test
    void namesTheWrongArgument() {
        assertThat(test("{\"batch\": 0}").run().thrown())
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("batch must be at least 1, not 0");
    }
}
