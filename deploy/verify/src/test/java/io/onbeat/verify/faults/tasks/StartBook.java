package io.onbeat.verify.faults.tasks;

import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Writes down every start of an attempt, at once and for good, and its end. A start is never written twice for one call, so
 * that what stands there twice was started twice.
 */
final class StartBook {
    private StartBook() {}

    /** @return the row's id */
    static long begin(TaskContext context) throws SQLException {
        try (Connection connection = context.dataSource("ledger").getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into verify.start (run_key, attempt, pid, started_at)
                        values (?, ?, ?, onbeat.clock()) returning id""")) {
            insert.setString(1, context.runKey());
            insert.setInt(2, context.attempt());
            insert.setLong(3, ProcessHandle.current().pid());
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    static void end(TaskContext context, long id) throws SQLException {
        try (Connection connection = context.dataSource("ledger").getConnection()) {
            end(connection, id);
        }
    }

    static void end(Connection connection, long id) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update verify.start set finished_at = onbeat.clock() where id = ?")) {
            update.setLong(1, id);
            update.executeUpdate();
        }
    }
}
