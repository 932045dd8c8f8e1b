package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.Skipped;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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

    private final SettlePoints task = new SettlePoints();

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

    private Object run(String args) throws Exception {
        return task.run(TestRun.of("settle-points", FIRE_TIME, args, source));
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
        assertThat(run("{\"period\": \"minute\"}")).hasToString("Settled[period=2026-07-14T18:05, accounts=10000]");
        assertThatThrownBy(() -> run("{\"period\": \"minute\"}"))
                .isInstanceOf(Skipped.class)
                .hasMessage("every account is settled for 2026-07-14T18:05");
        assertEachSettledOnce("2026-07-14T18:05");
        assertThat(run("{\"period\": \"July\", \"batch\": 3000}")).hasToString("Settled[period=July, accounts=10000]");
        assertEachSettledOnce("July");
    }

    @Test
    void settlesOnceWhileWorkersDieAndOrdersComeIn() throws Exception {
        AtomicInteger deaths = new AtomicInteger();
        AtomicInteger placed = new AtomicInteger();
        CompletableFuture<Void> done = new CompletableFuture<>();
        FutureTask<Void> killer = new FutureTask<>(() -> {
            await().timeout(Duration.ofSeconds(100))
                    .pollInterval(Duration.ofMillis(3))
                    .until(() -> {
                        if (database.cut("settle", "demo.settlement")) {
                            deaths.incrementAndGet();
                        }
                        return done.isDone();
                    });
            return null;
        });
        FutureTask<Void> shop = new FutureTask<>(() -> {
            while (!done.isDone()) {
                Instant at = FIRE_TIME.plusSeconds(placed.getAndIncrement());
                new PlaceOrders().run(TestRun.of("place-orders", at, "{\"count\": 40}", database.source("shop")));
            }
            return null;
        });
        new Thread(killer, "killer").start();
        new Thread(shop, "shop").start();
        try {
            DemoDatabase.together(10, () -> {
                for (int attempt = 1; ; attempt++) {
                    try {
                        return task.run(TestRun.of("settle-points", FIRE_TIME, "{\"batch\": 50}", source)
                                .withAttempt(attempt));
                    } catch (Skipped settled) {
                        return settled;
                    } catch (SQLException died) {
                        assertThat(died.getSQLState()).as(died.getMessage()).isIn("57P01", "08006", "08003");
                    }
                }
            });
        } finally {
            done.complete(null);
        }
        killer.get(30, TimeUnit.SECONDS);
        shop.get(30, TimeUnit.SECONDS);
        assertThat(deaths.get()).as("connections cut").isGreaterThan(5);
        assertThat(placed.get()).as("runs that placed orders").isPositive();
        assertEachSettledOnce("2026-07-14");
    }

    @Test
    void stopsBetweenTwoBatchesAndGoesOnLater() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> run("{\"batch\": 70}")).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(database.query("select count(*) from demo.settlement")).isEqualTo("70");
        assertThat(run("{}")).hasToString("Settled[period=2026-07-14, accounts=9930]");
        assertEachSettledOnce("2026-07-14");
    }

    @Test
    void namesTheWrongArgument() {
        assertThatThrownBy(() -> run("{\"batch\": 0}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("batch must be at least 1, not 0");
    }
}
