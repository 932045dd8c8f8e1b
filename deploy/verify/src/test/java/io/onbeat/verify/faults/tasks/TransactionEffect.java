package io.onbeat.verify.faults.tasks;

import io.onbeat.task.RetryLater;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Its effect is written in one transaction with the run's success, before it misbehaves: exactly one for a run that succeeded
 * is right, and none for any other.
 */
public final class TransactionEffect implements Task {
    public static final String NAME = "transaction-effect";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Conduct.Args args = context.args(Conduct.Args.class);
        Conduct conduct = Conduct.of(args, context.runKey(), context.attempt());
        long start = StartBook.begin(context);
        try {
            return context.transaction(connection -> {
                write(connection, context);
                conduct.act(context, args);
                StartBook.end(connection, start);
                return null;
            });
        } catch (Misfortune | RetryLater wanted) {
            StartBook.end(context, start);
            throw wanted;
        }
    }

    private static void write(Connection connection, TaskContext context) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into verify.once (run_key, attempt, pid) values (?, ?, ?)")) {
            insert.setString(1, context.runKey());
            insert.setInt(2, context.attempt());
            insert.setLong(3, ProcessHandle.current().pid());
            insert.executeUpdate();
        }
    }
}
