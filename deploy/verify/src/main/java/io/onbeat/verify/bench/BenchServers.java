package io.onbeat.verify.bench;

import com.rabbitmq.client.Connection;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.local.LocalPostgres;
import io.onbeat.local.LocalRabbit;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.PostgresOptions;
import io.onbeat.local.PostgresServer;
import io.onbeat.local.RabbitOptions;
import io.onbeat.local.RabbitServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A PostgreSQL that writes to disk before it confirms, and a RabbitMQ: both for this benchmark alone, with an empty database
 * and an empty virtual host, and removed with all their data afterwards; the logs of beat and workers stay.
 */
final class BenchServers implements AutoCloseable {
    static final String NAMESPACE = "onbeat";
    private static final String NAME = "bench";
    private static final String PEERS = "peers";

    private final Path folder;
    private final Alone alone;
    private final PostgresServer postgres;
    private final RabbitServer rabbit;

    private BenchServers(Path folder, Alone alone, PostgresServer postgres, RabbitServer rabbit) {
        this.folder = folder;
        this.alone = alone;
        this.postgres = postgres;
        this.rabbit = rabbit;
    }

    static BenchServers start() {
        Path folder = Folders.bench();
        Alone alone = Alone.in(folder);
        try {
            return start(folder, alone);
        } catch (RuntimeException failed) {
            alone.close();
            throw failed;
        }
    }

    private static BenchServers start(Path folder, Alone alone) {
        PostgresServer postgres = LocalPostgres.startOwn(folder.resolve("postgres"), PostgresOptions.durable());
        try {
            RabbitServer rabbit = LocalRabbit.startOwn(folder.resolve("rabbitmq"), RabbitOptions.usual());
            BenchServers servers = new BenchServers(folder, alone, postgres, rabbit);
            servers.empty();
            return servers;
        } catch (RuntimeException failed) {
            postgres.discard();
            throw failed;
        }
    }

    Path folder() {
        return folder;
    }

    PostgresServer postgres() {
        return postgres;
    }

    RabbitServer rabbit() {
        return rabbit;
    }

    LedgerSettings ledger(int poolSize) {
        return new LedgerSettings(postgres.jdbcUrl(NAME), postgres.user(), postgres.password(), NAMESPACE, poolSize);
    }

    BrokerSettings broker() {
        return new BrokerSettings(rabbit.amqpUrl(NAME), rabbit.user(), rabbit.password(), NAMESPACE);
    }

    /** For processes of ours that shall use these servers. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("ONBEAT_NAMESPACE", NAMESPACE);
        environment.put("ONBEAT_DATABASE_URL", postgres.jdbcUrl(NAME));
        environment.put("ONBEAT_DATABASE_USER", postgres.user());
        environment.put("ONBEAT_DATABASE_PASSWORD", postgres.password());
        environment.put("ONBEAT_AMQP_URL", rabbit.amqpUrl(NAME));
        return environment;
    }

    /** For the peers, which have a database of their own on the same server. */
    Map<String, String> peerEnvironment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PEER_DATABASE_URL", postgres.jdbcUrl(PEERS));
        environment.put("PEER_DATABASE_USER", postgres.user());
        environment.put("PEER_DATABASE_PASSWORD", postgres.password());
        environment.put("PEER_AMQP_URL", rabbit.amqpUrl(NAME));
        return environment;
    }

    void createPeerDatabase() {
        createDatabase(PEERS);
    }

    /** Of all that takes part, with the machine. */
    Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        versions.put("java", Runtime.version().toString());
        versions.put("postgresql", postgresVersion());
        versions.put("rabbitmq", rabbitVersion());
        return versions;
    }

    @Override
    public void close() {
        rabbit.discard();
        postgres.discard();
        Folders.delete(folder.resolve("rabbitmq"));
        Folders.delete(folder.resolve("postgres"));
        alone.close();
    }

    /** A benchmark that was killed may have left its data. */
    private void empty() {
        createDatabase(NAME);
        ManagementApi management = rabbit.management();
        management.delete("/api/vhosts/" + NAME);
        management.put("/api/vhosts/" + NAME, "{}");
        management.put(
                "/api/permissions/" + NAME + "/" + ManagementApi.encode(rabbit.user()),
                "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
    }

    private void createDatabase(String name) {
        try (java.sql.Connection connection = DriverManager.getConnection(
                        postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute("drop database if exists " + name + " with (force)");
            statement.execute("create database " + name);
        } catch (SQLException failed) {
            throw new BenchFailure("cannot create the database: " + failed.getMessage(), failed);
        }
    }

    private String postgresVersion() {
        try (Ledger ledger = Ledger.open(ledger(1));
                java.sql.Connection connection = ledger.connection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException unknown) {
            throw new BenchFailure("cannot ask PostgreSQL for its version: " + unknown.getMessage(), unknown);
        }
    }

    private String rabbitVersion() {
        try (Connection connection = Brokers.connect(broker(), "version")) {
            return String.valueOf(connection.getServerProperties().get("version"));
        } catch (IOException unknown) {
            throw new BenchFailure("cannot ask RabbitMQ for its version: " + unknown.getMessage(), unknown);
        }
    }
}
