package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CleanUpTest {
    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("cleanup");
    private final TaskTest test =
            TaskTest.of(new CleanUp()).fireTime(Instant.now()).ledger(source);

    @BeforeEach
    void create() throws SQLException {
        DemoData.ensure(source);
        execute("update demo.orders set status = 'reviewed' where id <= 20000");
        execute("insert into demo.review (order_id, verdict, run_key) select id, 'approved', 'a' from demo.orders"
                + " where status = 'reviewed'");
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String left(String what) throws SQLException {
        return database.query("select count(*) from " + what);
    }

    @Test
    void whatIsOldAndReviewedIsDeletedAndNothingElse() throws SQLException {
        String pending = left("demo.orders where status = 'pending'");
        long old = Long.parseLong(
                left("demo.orders where status = 'reviewed' and placed_at < now() - interval '10 days'"));
        CleanUp.Deleted deleted = test.args("{\"days\": 10}").run().result(CleanUp.Deleted.class);
        assertThat(deleted.orders()).isCloseTo(old, org.assertj.core.data.Offset.offset(100L));
        assertThat(left("demo.orders")).isEqualTo(Long.toString(50_000 - deleted.orders()));
        assertThat(left("demo.review")).isEqualTo(Long.toString(20_000 - deleted.orders()));
        assertThat(left("demo.orders where status = 'pending'")).isEqualTo(pending);
        assertThat(test.args("{\"days\": 10}").attempt(2).run()).isInstanceOf(TaskOutcome.Skipped.class);
    }

    @Test
    void aRunThatIsStoppedKeepsItsBatchesAndTheNextGoesOn() throws SQLException {
        assertThat(test.args("{\"days\": 10, \"batch\": 500}").stopping().run()).isInstanceOf(TaskOutcome.Failed.class);
        assertThat(left("demo.orders")).isEqualTo("49500");
        test.args("{\"days\": 10, \"batch\": 500}").attempt(2).run().result();
        assertThat(left("demo.orders where status = 'reviewed' and placed_at < now() - interval '10 days 1 hour'"))
                .isEqualTo("0");
    }
}
