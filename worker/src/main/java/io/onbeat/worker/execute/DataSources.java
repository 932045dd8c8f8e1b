package io.onbeat.worker.execute;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.task.PermanentFailure;
import io.onbeat.worker.execute.TaskSettings.DatabaseSettings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The tasks' databases: a pool for each, opened when a task first asks for it. */
public final class DataSources implements AutoCloseable {
    public static final String LEDGER = "ledger";
    // a task that finds all connections in use waits for one: its own time-out is the limit, and interrupts it
    private static final long AS_LONG_AS_IT_TAKES = 0;
    private static final long IDLE_MILLIS = 60_000;
    // else the database would keep what a lost machine had locked for two hours, and the next attempt would wait for it
    private static final String NOTICE_A_LOST_MACHINE =
            "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

    private final Map<String, DatabaseSettings> settings;
    private final int poolSize;
    private final Map<String, HikariDataSource> pools = new ConcurrentHashMap<>();

    /** The ledger's own database is among them, in the schema that its user has by default, not the ledger's. */
    public DataSources(LedgerSettings ledger, Map<String, DatabaseSettings> others, int poolSize) {
        this.settings = new ConcurrentHashMap<>(others);
        this.poolSize = poolSize;
        settings.put(
                LEDGER, new DatabaseSettings(ledger.url(), Optional.of(ledger.user()), Optional.of(ledger.password())));
    }

    HikariDataSource ledger() {
        return pool(LEDGER);
    }

    /** @throws PermanentFailure when there is none of that name */
    DataSource find(String name) {
        String known = name.toLowerCase(Locale.ROOT).replace('-', '_');
        if (!settings.containsKey(known)) {
            throw new PermanentFailure("this worker has no data source '" + name + "'; it has "
                    + new TreeSet<>(settings.keySet()) + ": set ONBEAT_DATASOURCE_"
                    + known.toUpperCase(Locale.ROOT) + "_URL");
        }
        return pool(known);
    }

    private HikariDataSource pool(String name) {
        return pools.computeIfAbsent(name, this::open);
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
    }

    private HikariDataSource open(String name) {
        DatabaseSettings database = settings.get(name);
        HikariConfig config = new HikariConfig();
        config.setPoolName("tasks-" + name);
        config.setJdbcUrl(database.url());
        database.user().ifPresent(config::setUsername);
        database.password().ifPresent(config::setPassword);
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(AS_LONG_AS_IT_TAKES);
        config.setInitializationFailTimeout(-1);
        if (database.url().startsWith("jdbc:postgresql:")) {
            config.addDataSourceProperty("ApplicationName", "onbeat-tasks");
            config.addDataSourceProperty("tcpKeepAlive", "true");
        }
        if (name.equals(LEDGER)) {
            config.addDataSourceProperty("options", NOTICE_A_LOST_MACHINE);
        }
        return new HikariDataSource(config);
    }
}
