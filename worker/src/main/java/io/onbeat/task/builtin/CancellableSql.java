package io.onbeat.task.builtin;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs statements on a thread of its own while the task's thread waits: a driver that reads its socket does not notice an
 * interrupt, so the waiting thread cancels the statement at the server.
 */
final class CancellableSql {
    private static final int CANCEL_ATTEMPTS = 100;
    private static final int FETCH = 1000;

    private final Connection connection;
    private final AtomicReference<Statement> current = new AtomicReference<>();
    private volatile boolean cancelled;

    CancellableSql(Connection connection) {
        this.connection = connection;
    }

    /** @throws InterruptedException after the running statement has ended: the connection is free to roll back */
    List<Map<String, Object>> run(List<SqlStatement> statements) throws Exception {
        FutureTask<List<Map<String, Object>>> work = new FutureTask<>(() -> execute(statements));
        Thread thread = new Thread(work, "onbeat-sql");
        thread.setDaemon(true);
        thread.start();
        try {
            return work.get();
        } catch (InterruptedException e) {
            cancelled = true;
            cancel(work);
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private List<Map<String, Object>> execute(List<SqlStatement> statements) throws SQLException {
        List<Map<String, Object>> results = new ArrayList<>();
        sameOnEveryMachine();
        for (SqlStatement each : statements) {
            try (PreparedStatement statement = connection.prepareStatement(each.text())) {
                statement.setFetchSize(FETCH);
                current.set(statement);
                if (cancelled) {
                    throw new SQLException("cancelled before statement " + each.number());
                }
                each.bind(statement);
                results.addAll(each.execute(statement));
            } catch (SQLException e) {
                throw new SQLException(
                        "statement " + each.number() + " of " + statements.size() + ": " + e.getMessage(),
                        e.getSQLState(),
                        e);
            }
        }
        return results;
    }

    // The driver gives a session its machine's zone, and a cast of a time to a date would depend on it.
    private void sameOnEveryMachine() throws SQLException {
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("set local time zone 'UTC'");
            }
        }
    }

    /** Again and again: a cancel that comes between two statements meets nothing. At last the connection is cut. */
    private void cancel(FutureTask<?> work) throws SQLException {
        for (int i = 0; i < CANCEL_ATTEMPTS; i++) {
            Statement statement = current.get();
            if (statement != null && !statement.isClosed()) {
                statement.cancel();
            }
            try {
                work.get(100, TimeUnit.MILLISECONDS);
                return;
            } catch (ExecutionException e) {
                return;
            } catch (TimeoutException | InterruptedException e) {
                // tried again
            }
        }
        connection.abort(Runnable::run);
    }
}
