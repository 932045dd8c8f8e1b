package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.Lock;
import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BillAccountsTest {
    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("bills");
    private final TaskTest test =
            TaskTest.of(new BillAccounts()).fireTime(Instant.now()).ledger(source);

    @BeforeEach
    void create() throws SQLException {
        DemoData.ensure(source);
    }

    @AfterEach
    void drop() {
        database.close();
    }

    private void assertEachBilledOnce() throws SQLException {
        assertThat(database.query("""
                        select count(*) || ' ' || count(distinct account_id) from demo.bill""")).isEqualTo(database.query("""
                        select count(distinct account_id) || ' ' || count(distinct account_id) from demo.orders
                        where placed_at >= (select max(day) from demo.bill)::timestamp at time zone 'UTC'
                            and placed_at < (select max(day) + 1 from demo.bill)::timestamp at time zone 'UTC'"""));
        assertThat(database.query("select min(number) || '..' || max(number) from demo.bill"))
                .isEqualTo(database.query("select '1..' || count(*) from demo.bill"))
                .isEqualTo(database.query("select '1..' || last_number from demo.bill_series"));
        assertThat(database.query("select sum(cents) from demo.bill")).isEqualTo(database.query("""
                        select sum(cents) from demo.orders
                        where placed_at >= (select max(day) from demo.bill)::timestamp at time zone 'UTC'
                            and placed_at < (select max(day) + 1 from demo.bill)::timestamp at time zone 'UTC'"""));
    }

    @Test
    void eachAccountHasOneBillAndTheNumbersHaveNoGap() throws SQLException {
        assertThat(test.args("{\"batch\": 100}")
                        .run()
                        .result(BillAccounts.Billed.class)
                        .bills())
                .isGreaterThan(100);
        assertThat(test.attempt(2).run()).isInstanceOf(TaskOutcome.Skipped.class);
        assertEachBilledOnce();
    }

    @Test
    void manyAtATimeAreOneAtATime() throws Exception {
        List<TaskOutcome> outcomes =
                DemoDatabase.together(6, () -> test.args("{\"batch\": 50}").run());
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome).isInstanceOfAny(TaskOutcome.Succeeded.class, TaskOutcome.Skipped.class));
        assertEachBilledOnce();
    }

    @Test
    void aRunGoesOnWhereAKilledOneStopped() throws SQLException {
        assertThat(test.args("{\"batch\": 50}").stopping().run()).isInstanceOf(TaskOutcome.Failed.class);
        assertThat(database.query("select count(*) from demo.bill")).isEqualTo("50");
        test.args("{\"batch\": 500}").attempt(2).run().result();
        assertEachBilledOnce();
    }

    @Test
    void itIsSkippedWhileAnotherHasTheLock() {
        try (Lock.Held other = test.lockedByAnother(BillAccounts.LOCK)) {
            assertThat(other.isHeld()).isTrue();
            assertThat(test.run()).isEqualTo(new TaskOutcome.Skipped("lock bill-accounts is held by another run"));
        }
    }

    @Test
    void theTableRefusesAnOlderHolder() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update demo.bill_series set fence = 1000000");
        }
        assertThat(test.run().thrown()).hasMessageContaining("is older than 1000000: another holder of the lock");
        assertThat(database.query("select count(*) from demo.bill")).isEqualTo("0");
    }
}
