package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;

/** Writes down that it was executed, at once and for good: an execution that should not have been is seen. */
public final class Record implements Task {
    /**
     * @param millis how long it works after that
     * @param edit by which a test tells the edits of a schedule apart
     */
    record Args(int millis, int edit) {}

    @Override
    public String name() {
        return "record";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        try (Connection connection = context.dataSource("ledger").getConnection();
                PreparedStatement statement = connection.prepareStatement("""
                        insert into verify.execution (run_key, attempt, pid) values (?, ?, ?)""")) {
            statement.setString(1, context.runKey());
            statement.setInt(2, context.attempt());
            statement.setLong(3, ProcessHandle.current().pid());
            statement.executeUpdate();
            Work.take(connection, context.args(Args.class).millis());
        }
        return null;
    }
}
