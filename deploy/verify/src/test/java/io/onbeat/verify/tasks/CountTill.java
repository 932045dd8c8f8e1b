package io.onbeat.verify.tasks;

import io.onbeat.task.Lock;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Reads the level of its schedule's till, thinks about it, and writes the level after it: lost updates for two at a time. So it does that under
 * a lock, and the till refuses a holder older than the last one that wrote.
 */
public final class CountTill implements Task {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "count-till";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Luck luck = new Luck(context);
        String till = context.schedule().orElseThrow();
        luck.tempt("the way to the till");
        try (Lock.Held held = context.lock("till " + till)
                        .timeToLive(Duration.ofSeconds(1))
                        .tryLock(PATIENCE)
                        .orElseThrow(() -> new RetryLater(Duration.ofSeconds(1), "the till is busy"));
                Connection connection = context.dataSource("ledger").getConnection()) {
            if (isCounted(connection, till, context.runKey())) {
                return "counted before";
            }
            int level = level(connection, till);
            Work.take(connection, luck.millis());
            luck.tempt("the till");
            connection.setAutoCommit(false);
            if (set(connection, till, level + 1, held.token()) == 0) {
                throw new IllegalStateException("a holder after token " + held.token() + " was at the till");
            }
            enter(connection, till, level + 1, held.token(), context.runKey());
            connection.commit();
        }
        luck.tempt("the way back");
        return null;
    }

    private static boolean isCounted(Connection connection, String till, String runKey) throws SQLException {
        return number(connection, "select count(*) from verify.entry where till = ? and run_key = ?", till, runKey) > 0;
    }

    private static int level(Connection connection, String till) throws SQLException {
        return number(connection, "select level from verify.till where name = ?", till);
    }

    private static int set(Connection connection, String till, int level, long token) throws SQLException {
        return update(
                connection,
                "update verify.till set level = ?, token = ? where name = ? and token <= ?",
                level,
                token,
                till,
                token);
    }

    private static void enter(Connection connection, String till, int level, long token, String runKey)
            throws SQLException {
        update(
                connection,
                "insert into verify.entry (till, level, token, run_key) values (?, ?, ?, ?)",
                till,
                level,
                token,
                runKey);
    }

    private static int number(Connection connection, String sql, String... texts) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int place = 1; place <= texts.length; place++) {
                statement.setString(place, texts[place - 1]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int place = 1; place <= values.length; place++) {
                statement.setObject(place, values[place - 1]);
            }
            return statement.executeUpdate();
        }
    }
}
