package io.onbeat.local;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** The two servers under a running Onbeat, and its database in the first. */
record Services(PostgresServer postgres, RabbitServer rabbit, Database database) {
    private static final String DATABASE = "onbeat";

    /** Both at once: RabbitMQ takes some seconds to start, PostgreSQL one. */
    static Services start(Path hidden) {
        CompletableFuture<PostgresServer> postgres = CompletableFuture.supplyAsync(() -> LocalPostgres.start(
                hidden.resolve("postgres"), PostgresOptions.durable().onPort(15_432)));
        CompletableFuture<RabbitServer> rabbit = CompletableFuture.supplyAsync(() -> LocalRabbit.start(
                hidden.resolve("rabbitmq"), RabbitOptions.usual().onPorts(15_671, 15_672)));
        try {
            return new Services(postgres.join(), rabbit.join(), database(postgres.join()));
        } catch (CompletionException | ServiceFailure failed) {
            postgres.thenAccept(PostgresServer::close).exceptionally(alreadyFailed -> null);
            rabbit.thenAccept(RabbitServer::close).exceptionally(alreadyFailed -> null);
            if (failed.getCause() instanceof ServiceFailure failure) {
                throw failure;
            }
            throw failed;
        }
    }

    /** Those that were started here, the one to close first at the front. */
    List<OwnServer> own() {
        return Stream.of(rabbit, postgres)
                .filter(OwnServer.class::isInstance)
                .map(OwnServer.class::cast)
                .toList();
    }

    private static Database database(PostgresServer server) {
        String url = server instanceof GivenPostgres given ? given.url() : server.jdbcUrl(DATABASE);
        if (server instanceof LocalPostgres) {
            createIfAbsent(server);
        }
        return new Database(url, server.user(), server.password());
    }

    private static void createIfAbsent(PostgresServer server) {
        try (Connection connection =
                        DriverManager.getConnection(server.jdbcUrl("postgres"), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            try (ResultSet found =
                    statement.executeQuery("select 1 from pg_database where datname = '" + DATABASE + "'")) {
                if (found.next()) {
                    return;
                }
            }
            statement.execute("create database " + DATABASE);
        } catch (SQLException failed) {
            throw new ServiceFailure("cannot create the database " + DATABASE + ": " + failed.getMessage(), failed);
        }
    }
}
