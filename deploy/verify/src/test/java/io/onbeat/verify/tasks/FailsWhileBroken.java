package io.onbeat.verify.tasks;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;

/** Fails until the test mends what it needs. */
public final class FailsWhileBroken implements Task {
    @Override
    public String name() {
        return "fails-while-broken";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        try (Connection connection = context.dataSource("ledger").getConnection();
                Statement statement = connection.createStatement();
                ResultSet broken = statement.executeQuery("select reason from verify.broken")) {
            if (broken.next()) {
                throw new IllegalStateException(broken.getString(1));
            }
        }
        return "mended";
    }
}
