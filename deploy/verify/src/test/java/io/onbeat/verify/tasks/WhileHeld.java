package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.Statement;

/** Runs until the test lets go of a lock. */
public final class WhileHeld implements Task {
    @Override
    public String name() {
        return "while-held";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        try (Connection connection = context.dataSource("ledger").getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select from verify.held for share");
            connection.commit();
        }
        return "let go";
    }
}
