package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.task.Skipped;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReviewOrdersTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("review");
    private final ReviewOrders task = new ReviewOrders();

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void reviewsEachOrderOnceWithManyAtATimeThatDie() throws Exception {
        AtomicInteger deaths = new AtomicInteger();
        CompletableFuture<Void> done = new CompletableFuture<>();
        DemoData.ensure(source);
        FutureTask<Void> killer = new FutureTask<>(() -> {
            await().timeout(Duration.ofSeconds(100))
                    .pollInterval(Duration.ofMillis(3))
                    .until(() -> {
                        if (database.cut("review", "demo.review")) {
                            deaths.incrementAndGet();
                        }
                        return done.isDone();
                    });
            return null;
        });
        new Thread(killer, "killer").start();
        AtomicInteger runs = new AtomicInteger();
        try {
            DemoDatabase.together(6, () -> {
                while (true) {
                    try {
                        task.run(TestRun.of("review-orders", FIRE_TIME, "{\"batch\": 1000}", source)
                                .withRunKey("run " + runs.incrementAndGet()));
                    } catch (Skipped nothingLeft) {
                        return nothingLeft;
                    } catch (SQLException died) {
                        assertThat(died.getSQLState()).as(died.getMessage()).isIn("57P01", "08006", "08003");
                    }
                }
            });
            // rows that a killed run held were pending again after the others had ended
            finish();
        } finally {
            done.complete(null);
        }
        killer.get(30, TimeUnit.SECONDS);
        assertThat(deaths.get()).as("connections cut").isPositive();
        assertThat(database.query(
                        "select count(*) || ' ' || count(*) filter (where status = 'reviewed') from demo.orders"))
                .isEqualTo("50000 50000");
        assertThat(database.query("select count(*) || ' ' || count(distinct order_id) from demo.review"))
                .isEqualTo("50000 50000");
    }

    private void finish() throws Exception {
        for (int i = 0;
                !database.query("select count(*) from demo.orders where status = 'pending'")
                        .equals("0");
                i++) {
            task.run(TestRun.of("review-orders", FIRE_TIME, "{}", database.source("calm"))
                    .withRunKey("last " + i));
        }
    }

    @Test
    void takesABatchAndSkipsWhatAnotherHolds() throws Exception {
        DemoData.ensure(source);
        TestRun run = TestRun.of("review-orders", FIRE_TIME, "{\"batch\": 10}", source);
        Object inner = run.transaction(connection -> {
            connection.createStatement().execute("select id from demo.orders order by id limit 5 for update");
            return task.run(run);
        });
        assertThat(inner).hasToString("Reviewed[orders=10]");
        assertThat(database.query("select min(order_id) || '..' || max(order_id) from demo.review"))
                .isEqualTo("6..15");
        assertThat(List.of(database.query("select distinct run_key from demo.review")))
                .containsExactly("review-orders@2026-07-14T18:05:00Z");
    }
}
