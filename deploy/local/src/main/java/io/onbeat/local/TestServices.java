package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One PostgreSQL and one RabbitMQ for all tests of this process, started when first asked for and gone with it. They are
 * shared: a test that stops or kills a server starts one of its own.
 */
public final class TestServices {
    private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final List<Runnable> ENDINGS = new CopyOnWriteArrayList<>();

    private TestServices() {}

    /** Each server is started by the class loader, once, and on its own: a test of one does not wait for the other. */
    private static final class Postgres {
        static final PostgresServer SERVER =
                LocalPostgres.start(Folder.PATH.resolve("postgres"), PostgresOptions.fast());

        static {
            ENDINGS.add(SERVER::discard);
        }
    }

    private static final class Rabbit {
        static final RabbitServer SERVER = LocalRabbit.start(Folder.PATH.resolve("rabbitmq"), RabbitOptions.watched());
        static final ManagementApi MANAGEMENT = SERVER.management();

        static {
            ENDINGS.add(SERVER::discard);
        }
    }

    private static final class Redis {
        static final LocalRedis SERVER = LocalRedis.start(Folder.PATH.resolve("redis"));

        static {
            ENDINGS.add(SERVER::close);
        }
    }

    private static final class Folder {
        static final Path PATH = create();

        private static Path create() {
            Path all = Root.hidden(Root.folder()).resolve("test");
            try {
                Files.createDirectories(all);
                sweep(all);
                Path own = Files.createDirectory(
                        all.resolve(ProcessHandle.current().pid() + "-" + RUN));
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(own), "end-test-services"));
                return own;
            } catch (IOException unusable) {
                throw new UncheckedIOException(unusable);
            }
        }

        /** Removes what killed test processes left. */
        private static void sweep(Path all) throws IOException {
            try (Stream<Path> folders = Files.list(all)) {
                for (Path folder : folders.toList()) {
                    long pid = Long.parseLong(folder.getFileName().toString().split("-")[0]);
                    if (ProcessHandle.of(pid).isEmpty()) {
                        try {
                            DataFolder.delete(folder);
                        } catch (UncheckedIOException stillBusy) {
                            // its servers are just ending: the next one gets it
                        }
                    }
                }
            }
        }
    }

    private static void end(Path folder) {
        ENDINGS.parallelStream().forEach(Runnable::run);
        DataFolder.delete(folder);
    }

    public static PostgresServer postgres() {
        return Postgres.SERVER;
    }

    public static RabbitServer rabbit() {
        return Rabbit.SERVER;
    }

    public static LocalRedis redis() {
        return Redis.SERVER;
    }

    public static ManagementApi management() {
        return Rabbit.MANAGEMENT;
    }

    /** A new, empty database. */
    public static Database freshDatabase() {
        String name = freshName();
        administer("create database " + name);
        return new Database(
                postgres().jdbcUrl(name), postgres().user(), postgres().password());
    }

    public static void dropDatabase(Database database) {
        String path = database.jdbcUrl().substring(database.jdbcUrl().lastIndexOf('/') + 1);
        administer("drop database if exists " + path.replaceFirst("\\?.*", "") + " with (force)");
    }

    private static void administer(String sql) {
        String url = postgres().jdbcUrl("postgres");
        try (Connection connection = DriverManager.getConnection(
                        url, postgres().user(), postgres().password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new ServiceFailure(sql + " at " + url + ": " + failed.getMessage(), failed);
        }
    }

    /** A new, empty virtual host on which the user may do everything. */
    public static Vhost freshVhost() {
        String name = freshName();
        management().put("/api/vhosts/" + name, "{}");
        management()
                .put(
                        "/api/permissions/" + name + "/" + ManagementApi.encode(rabbit().user()),
                        "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
        return new Vhost(rabbit().amqpUrl(name), name);
    }

    public static void deleteVhost(Vhost vhost) {
        management().delete("/api/vhosts/" + vhost.name());
    }

    private static String freshName() {
        return String.format(Locale.ROOT, "t_%s_%d", RUN, COUNT.incrementAndGet());
    }
}
