package io.onbeat.verify.tasks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Work that takes its time and loads no processor of this machine. */
final class Work {
    private Work() {}

    static void take(Connection connection, int millis) throws SQLException {
        if (millis > 0) {
            try (PreparedStatement statement = connection.prepareStatement("select pg_sleep(? / 1000.0)")) {
                statement.setInt(1, millis);
                statement.execute();
            }
        }
    }
}
