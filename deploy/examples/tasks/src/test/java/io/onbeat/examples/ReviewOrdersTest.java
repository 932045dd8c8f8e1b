package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReviewOrdersTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("review");
    private final TaskTest test = TaskTest.of(new ReviewOrders()).fireTime(FIRE_TIME);

    @AfterEach
    void drop() {
        database.close();
    }

    @Test
    void reviewsEachOrderOnceWithManyAtATimeThatDie() throws Exception {
        DemoData.ensure(source);
        Killer killer = Killer.start(database, "review", "demo.review", 30);
        AtomicInteger runs = new AtomicInteger();
        int cuts;
        try {
            DemoDatabase.together(6, () -> {
                while (true) {
                    TaskOutcome outcome = test.args("{\"batch\": 1000}")
                            .ledger(source)
                            .runKey("run " + runs.incrementAndGet())
                            .run();
                    if (outcome instanceof TaskOutcome.Skipped nothingLeft) {
                        return nothingLeft;
                    }
                    if (outcome instanceof TaskOutcome.Failed) {
                        DemoDatabase.assertCut(outcome.thrown());
                    }
                }
            });
            // rows that a killed run held were pending again after the others had ended
            finish();
        } finally {
            cuts = killer.stop();
        }
        assertThat(cuts).as("connections cut").isPositive();
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
            test.ledger(database.source("calm")).runKey("last " + i).run().result();
        }
    }

    @Test
    void takesABatchAndSkipsWhatAnotherHolds() throws Exception {
        DemoData.ensure(source);
        try (Connection other = source.getConnection()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select id from demo.orders order by id limit 5 for update");
            assertThat(test.args("{\"batch\": 10}").ledger(source).run().result(ReviewOrders.Reviewed.class))
                    .isEqualTo(new ReviewOrders.Reviewed(10));
        }
        assertThat(database.query("select min(order_id) || '..' || max(order_id) from demo.review"))
                .isEqualTo("6..15");
        assertThat(List.of(database.query("select distinct run_key from demo.review")))
                .containsExactly("review-orders@2026-07-14T18:05:00Z");
    }
}
