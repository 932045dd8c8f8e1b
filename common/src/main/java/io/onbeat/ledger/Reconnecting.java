package io.onbeat.ledger;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Connects as soon as the database can be reached, however long it was away: the same short pause lies between two tries.
 * The pool's own pauses grow to five seconds, and a short lease runs out in one of them.
 */
final class Reconnecting implements DataSource, AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final String url;
    private final Properties properties;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Optional<SQLException> trouble = Optional.empty();

    Reconnecting(String url, Properties properties) {
        this.url = url;
        this.properties = properties;
    }

    /** Why the last try failed; empty when it did not. */
    Optional<SQLException> trouble() {
        return trouble;
    }

    @Override
    public Connection getConnection() throws SQLException {
        while (true) {
            try {
                Connection connection = DriverManager.getConnection(url, properties);
                trouble = Optional.empty();
                return connection;
            } catch (SQLException failed) {
                trouble = Optional.of(failed);
                if (!isAway(failed) || closesWithin(PAUSE)) {
                    throw failed;
                }
            }
        }
    }

    /** Nobody answers, or it is starting or stopping. Who is refused for any other reason need not hurry. */
    private static boolean isAway(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    private boolean closesWithin(Duration pause) {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() {
        return DriverManager.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        DriverManager.setLogWriter(out);
    }

    /** The properties have a time-out of their own. */
    @Override
    public void setLoginTimeout(int seconds) {
        return;
    }

    /** So long the pool waits, when it closes, for a connection that is just being made. */
    @Override
    public int getLoginTimeout() {
        return 5;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException("it wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
