package io.onbeat.verify.faults.check;

import io.onbeat.ledger.LedgerSettings;
import io.onbeat.ledger.Sql;
import io.onbeat.verify.system.Books;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the ledger from before the first fault on, and remembers what it saw: what a database forgets in a crash, it does
 * not. It also opens the {@link Journal}. While the database is away it sees nothing, and goes on when it is back.
 */
public final class Watch implements AutoCloseable {
    static final String DEADLOCK = "PostgreSQL reports no deadlock";
    static final String WATERMARK = "a watermark that was seen never falls again";
    static final String TERM = "a leader's term that was seen never falls again";
    private static final long EVERY_MILLIS = 250;

    private final LedgerSettings settings;
    private final List<Path> serverLogs;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<Integer, Instant> watermarks = new HashMap<>();
    private final Map<Path, Long> logsFrom = new HashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::loop, "watch");
    private long term;
    private long deadlocks = -1;

    /**
     * @param books their connection must be a direct one, past all faults
     * @param serverLogs of PostgreSQL: its counters are reset by a crash, what it wrote stays
     */
    public Watch(Books books, Path... serverLogs) {
        this.settings = books.ledger().settings();
        this.serverLogs = List.of(serverLogs);
        this.serverLogs.forEach(log -> logsFrom.put(log, read(log).lines().count()));
        Journal.open(books);
        thread.setDaemon(true);
        thread.start();
    }

    /** What it saw so far. */
    synchronized List<Violation> violations() {
        List<Violation> all = new ArrayList<>(violations);
        for (Path log : serverLogs) {
            read(log)
                    .lines()
                    .skip(logsFrom.get(log))
                    .filter(line -> line.contains("deadlock detected"))
                    .forEach(line -> all.add(new Violation(DEADLOCK, line)));
        }
        return all;
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void loop() {
        try {
            do {
                lookWhileItLasts();
            } while (!closing.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookWhileItLasts() throws InterruptedException {
        try (Connection connection = connect()) {
            do {
                look(connection);
            } while (!closing.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
        } catch (SQLException away) {
            // the database is a victim too
            return;
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        properties.setProperty("password", settings.password());
        properties.setProperty("currentSchema", settings.namespace());
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("socketTimeout", "10");
        return DriverManager.getConnection(settings.url(), properties);
    }

    /** Looks once, at this moment. */
    synchronized void look(Connection connection) throws SQLException {
        Sql.list(connection, "select id, name, watermark from schedule", row -> {
            watermark(row.getInt("id"), row.getString("name"), Sql.instant(row, "watermark"));
            return 0;
        });
        Sql.list(connection, "select term from leader", row -> {
            term(row.getLong(1));
            return 0;
        });
        deadlocks(Sql.one(
                connection,
                "select deadlocks from pg_stat_database where datname = current_database()",
                row -> row.getLong(1)));
    }

    private void watermark(int id, String name, Instant seen) {
        Instant before = watermarks.put(id, seen);
        if (before != null && seen.isBefore(before)) {
            violations.add(new Violation(WATERMARK, name + " was at " + before + ", and is at " + seen));
        }
    }

    private void term(long seen) {
        if (seen < term) {
            violations.add(new Violation(TERM, "it was " + term + ", and is " + seen));
        }
        term = seen;
    }

    // a counter that is lower than before has started anew, at zero
    private void deadlocks(long seen) {
        long more = deadlocks < 0 ? 0 : seen < deadlocks ? seen : seen - deadlocks;
        if (more > 0) {
            violations.add(new Violation(DEADLOCK, "it counts " + more + " more"));
        }
        deadlocks = seen;
    }

    private static String read(Path log) {
        try {
            return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
