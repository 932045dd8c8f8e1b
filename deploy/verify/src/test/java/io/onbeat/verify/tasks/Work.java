package io.onbeat.verify.tasks;

import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Work that takes its time and loads no processor of this machine. */
final class Work {
    private Work() {}

    static void untilLetGo(TaskContext context) throws SQLException {
        try (Connection connection = context.dataSource("ledger").getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select from verify.held for share");
            connection.commit();
        }
    }

    static void take(Connection connection, int millis) throws SQLException {
        if (millis > 0) {
            try (PreparedStatement statement = connection.prepareStatement("select pg_sleep(? / 1000.0)")) {
                statement.setInt(1, millis);
                statement.execute();
            }
        }
    }
}
