package io.onbeat.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;

/**
 * The ledger's database: its schema, its pool and its clock. Connections see the ledger's tables without a prefix; they
 * plan every statement anew, since a plan made for an empty table would be kept while the table grows, and take a page at
 * random for as cheap as the next one, since the rows at work are the newest, which are in memory.
 */
public final class Ledger implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final LedgerSettings settings;
    private final Reconnecting database;
    private final HikariDataSource pool;

    private Ledger(LedgerSettings settings, Reconnecting database, HikariDataSource pool) {
        this.settings = settings;
        this.database = database;
        this.pool = pool;
    }

    /** Opens the pool; connects when first used, so that a database which is not there yet is no error here. */
    public static Ledger open(LedgerSettings settings) {
        return open(settings, settings.poolSize(), ANSWER_TIMEOUT);
    }

    /** One connection apart from all others, for what must be done in time: nobody else's wait holds it up. */
    public static Ledger openApart(LedgerSettings settings, Duration answerTimeout) {
        return open(settings, 1, answerTimeout);
    }

    private static Ledger open(LedgerSettings settings, int poolSize, Duration answerTimeout) {
        Reconnecting database = new Reconnecting(settings.url(), properties(settings, answerTimeout));
        HikariConfig config = new HikariConfig();
        config.setPoolName("ledger");
        config.setDataSource(database);
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(shorter(CONNECT_TIMEOUT, answerTimeout).toMillis());
        config.setInitializationFailTimeout(-1);
        // the driver gives every session the zone of this process, whatever the options say
        config.setConnectionInitSql("set time zone 'UTC'");
        return new Ledger(settings, database, new HikariDataSource(config));
    }

    private static Properties properties(LedgerSettings settings, Duration answerTimeout) {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        properties.setProperty("password", settings.password());
        properties.setProperty("currentSchema", settings.namespace());
        properties.setProperty("ApplicationName", "onbeat");
        properties.setProperty("connectTimeout", seconds(shorter(CONNECT_TIMEOUT, answerTimeout)));
        properties.setProperty("socketTimeout", seconds(answerTimeout));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty(
                "options",
                "-c plan_cache_mode=force_custom_plan -c idle_in_transaction_session_timeout=5s -c lock_timeout=10s"
                        + " -c jit=off -c random_page_cost=1.1");
        return properties;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    // the driver counts in whole seconds, and 0 is no limit
    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, (duration.toMillis() + 999) / 1_000));
    }

    /**
     * Brings the schema to this version; safe beside other processes that do the same. A newer schema is left as it is: every
     * migration only adds what the version before can do without.
     */
    public void migrate() {
        flyway().migrate();
    }

    /** What the schema lacks for this process, in words for its log; empty when it is this version's or a newer one. */
    public Optional<String> lacks() {
        MigrationInfoService schema = flyway().info();
        if (schema.pending().length == 0) {
            return Optional.empty();
        }
        String has = schema.current() == null
                ? "no schema yet"
                : "version " + schema.current().getVersion() + " of its schema";
        MigrationInfo last = schema.pending()[schema.pending().length - 1];
        return Optional.of(
                "the ledger at " + settings + " has " + has + ", and this process needs version " + last.getVersion());
    }

    private Flyway flyway() {
        return Flyway.configure()
                .dataSource(settings.url(), settings.user(), settings.password())
                .schemas(settings.namespace())
                .defaultSchema(settings.namespace())
                .locations("classpath:io/onbeat/ledger/migrations")
                .load();
    }

    public Connection connection() throws SQLException {
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException waited) {
            // the pool only knows that it waited
            throw database.trouble()
                    .map(why -> new SQLTransientConnectionException(why.getMessage(), why.getSQLState(), why))
                    .orElse(waited);
        }
    }

    public LedgerSettings settings() {
        return settings;
    }

    public String namespace() {
        return settings.namespace();
    }

    /** Runs {@code work} in one transaction, rolled back when it throws. */
    public <T> T transaction(SqlWork<T> work) throws SQLException {
        try (Connection connection = connection()) {
            connection.setAutoCommit(false);
            try {
                T value = work.run(connection);
                connection.commit();
                return value;
            } catch (SQLException | RuntimeException | Error failure) {
                rollback(connection, failure);
                throw failure;
            } finally {
                restoreAutoCommit(connection);
            }
        }
    }

    /** The database's time: the only "now" that decides anything. */
    public Instant now() throws SQLException {
        try (Connection connection = connection()) {
            return now(connection);
        }
    }

    /** The same within a transaction of the caller's. */
    public static Instant now(Connection connection) throws SQLException {
        return Sql.one(connection, "select clock()", row -> row.getTimestamp(1).toInstant());
    }

    @Override
    public void close() {
        database.close();
        pool.close();
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }

    private static void restoreAutoCommit(Connection connection) {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException broken) {
            // a broken connection is thrown away by the pool; the failure that broke it is on its way up already
            return;
        }
    }

    /** Work inside a ledger transaction. */
    @FunctionalInterface
    public interface SqlWork<T> {
        T run(Connection connection) throws SQLException;
    }
}
