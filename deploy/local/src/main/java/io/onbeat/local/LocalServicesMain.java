package io.onbeat.local;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Keeps both services running by themselves, for work on a single module: {@code start --dir FOLDER}. */
public final class LocalServicesMain {
    private LocalServicesMain() {}

    public static void main(String[] args) throws InterruptedException {
        // The RabbitMQ client logs through SLF4J; here its errors are judged, not logged.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        if (args.length != 3 || !args[0].equals("start") || !args[1].equals("--dir")) {
            System.err.println("usage: start --dir FOLDER, for example: start --dir .onbeat");
            System.exit(2);
        }
        Path folder = Path.of(args[2]);
        try {
            PostgresServer postgres = LocalPostgres.start(folder.resolve("postgres"), PostgresOptions.durable());
            RabbitServer rabbit = LocalRabbit.start(folder.resolve("rabbitmq"), RabbitOptions.usual());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                rabbit.close();
                postgres.close();
            }));
            System.out.println("ONBEAT_DATABASE_URL=" + postgres.jdbcUrl("postgres"));
            System.out.println("ONBEAT_DATABASE_USER=" + postgres.user());
            System.out.println("ONBEAT_DATABASE_PASSWORD=" + postgres.password());
            System.out.println("ONBEAT_AMQP_URL=" + rabbit.amqpUrl());
            System.out.println("ONBEAT_MANAGEMENT_URL=" + rabbit.managementUrl());
            new CountDownLatch(1).await();
        } catch (ServiceFailure failure) {
            System.err.println(failure.getMessage());
            System.exit(2);
        }
    }
}
