package io.onbeat.local;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Follows the ledger and tells of each run once, when it has finished. */
final class FinishedRuns implements Runnable {
    private static final int MOST_AT_ONCE = 200;
    // A run that settles in a long transaction shows up later than its finish time says.
    private static final Duration LOOK_BACK = Duration.ofSeconds(3);
    private static final String SQL = """
            select key, state, attempt, finished_at, started_at, error_class, error_message
            from onbeat.run where id > (select max(id) from onbeat.run) - 20000 and finished_at > ?
            order by finished_at, key""";

    private final Database database;
    private final Screen screen;
    private final Map<String, Instant> told = new HashMap<>();
    private Optional<Connection> open = Optional.empty();
    private Optional<Instant> last = Optional.empty();

    FinishedRuns(Database database, Screen screen) {
        this.database = database;
        this.screen = screen;
    }

    /** One look. While the database or its tables are not there, it looks again next time. */
    @Override
    public void run() {
        try {
            look(connection());
        } catch (SQLException notNow) {
            close();
        }
    }

    private void look(Connection connection) throws SQLException {
        if (last.isEmpty()) {
            last = Optional.of(now(connection));
        }
        Instant from = last.get().minus(LOOK_BACK);
        try (PreparedStatement query = connection.prepareStatement(SQL)) {
            query.setObject(1, from.atOffset(ZoneOffset.UTC));
            int lines = 0;
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    Instant finished =
                            rows.getObject("finished_at", OffsetDateTime.class).toInstant();
                    if (finished.equals(told.put(rows.getString("key"), finished))) {
                        continue;
                    }
                    if (++lines <= MOST_AT_ONCE) {
                        screen.line(finished, line(rows, finished));
                    }
                    last = Optional.of(finished.isAfter(last.get()) ? finished : last.get());
                }
            }
            if (lines > MOST_AT_ONCE) {
                screen.line("... and " + (lines - MOST_AT_ONCE) + " more");
            }
        }
        told.values().removeIf(from::isAfter);
    }

    private static String line(ResultSet row, Instant finished) throws SQLException {
        StringBuilder line = new StringBuilder(row.getString("key"));
        line.append("  ").append(row.getString("state"));
        OffsetDateTime started = row.getObject("started_at", OffsetDateTime.class);
        if (started != null) {
            line.append("  ")
                    .append(Duration.between(started.toInstant(), finished).toMillis())
                    .append(" ms");
        }
        line.append("  attempt ").append(row.getInt("attempt"));
        String error = row.getString("error_class");
        if (error != null) {
            String message = Optional.ofNullable(row.getString("error_message")).orElse("");
            line.append("  ")
                    .append(error)
                    .append(": ")
                    .append(message.lines().findFirst().orElse(""));
        }
        return line.toString();
    }

    private static Instant now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select now()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private Connection connection() throws SQLException {
        if (open.isEmpty()) {
            open = Optional.of(DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password()));
        }
        return open.get();
    }

    private void close() {
        open.ifPresent(connection -> {
            try {
                connection.close();
            } catch (SQLException alreadyGone) {
                // a new one is opened at the next look
            }
        });
        open = Optional.empty();
    }
}
