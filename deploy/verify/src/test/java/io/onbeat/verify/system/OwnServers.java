package io.onbeat.verify.system;

import io.onbeat.local.Database;
import io.onbeat.local.LocalPostgres;
import io.onbeat.local.LocalRabbit;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.PostgresOptions;
import io.onbeat.local.RabbitOptions;
import io.onbeat.local.Vhost;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Servers that a test may stop, since no other test uses them. */
public final class OwnServers implements Servers {
    private final LocalPostgres postgres;
    private final LocalRabbit rabbit;

    public OwnServers(Path folder) {
        CompletableFuture<LocalPostgres> starting = CompletableFuture.supplyAsync(
                () -> LocalPostgres.startOwn(folder.resolve("postgres"), PostgresOptions.durable()));
        rabbit = LocalRabbit.startOwn(folder.resolve("rabbitmq"), RabbitOptions.watched());
        postgres = starting.join();
    }

    public LocalPostgres postgres() {
        return postgres;
    }

    public LocalRabbit rabbit() {
        return rabbit;
    }

    @Override
    public Database database() {
        return new Database(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
    }

    @Override
    public Vhost vhost() {
        return new Vhost(rabbit.amqpUrl(), "/");
    }

    @Override
    public ManagementApi management() {
        return rabbit.management();
    }

    @Override
    public void close() {
        rabbit.discard();
        postgres.discard();
    }
}
