package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;

/** Writes down that it was started, at once and for good; then fails, waits or succeeds as its args say. */
public final class AsPlanned implements Task {
    /**
     * @param failures how many attempts fail
     * @param waits the first attempt ends with its interrupt only
     * @param held the attempts after the first do not end before the test lets go of its lock
     * @param outside it does without a transaction
     */
    record Args(int failures, boolean waits, boolean held, boolean outside) {}

    @Override
    public String name() {
        return "as-planned";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args plan = context.args(Args.class);
        try (Connection connection = context.dataSource("ledger").getConnection()) {
            write(connection, "insert into verify.execution (run_key, attempt, pid) values (?, ?, ?)", context);
        }
        if (context.attempt() <= plan.failures()) {
            throw new IllegalStateException("as planned");
        }
        if (plan.waits() && context.attempt() == 1) {
            new CountDownLatch(1).await();
        }
        if (plan.held() && context.attempt() > 1) {
            Work.untilLetGo(context);
        }
        if (!plan.outside()) {
            context.transaction(connection ->
                    write(connection, "insert into verify.effect (run_key, attempt) values (?, ?)", context));
        }
        return null;
    }

    private static int write(Connection connection, String sql, TaskContext context) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, context.runKey());
            statement.setInt(2, context.attempt());
            if (statement.getParameterMetaData().getParameterCount() == 3) {
                statement.setLong(3, ProcessHandle.current().pid());
            }
            return statement.executeUpdate();
        }
    }
}
