package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** Programs in the places of beat and worker, since this module knows neither: one that writes a run, one that ends once. */
final class StandIn {
    private StandIn() {}

    static final class Beat {
        public static void main(String[] words) throws Exception {
            if (!Arrays.equals(words, new String[] {"beat"})) {
                throw new IllegalArgumentException(Arrays.toString(words));
            }
            try (Connection connection = DriverManager.getConnection(
                            System.getenv("ONBEAT_DATABASE_URL"),
                            System.getenv("ONBEAT_DATABASE_USER"),
                            System.getenv("ONBEAT_DATABASE_PASSWORD"));
                    Statement statement = connection.createStatement()) {
                writeRun(statement);
            }
            new CountDownLatch(1).await();
        }

        private static void writeRun(Statement statement) throws SQLException {
            statement.execute("create schema if not exists onbeat");
            statement.execute("""
                    create table if not exists onbeat.run (key text, state text, task text, attempt int,
                        started_at timestamptz, finished_at timestamptz, error_class text, error_message text,
                        id bigint generated always as identity)""");
            // finished in a moment, so that the follower is there by then
            statement.execute("""
                    insert into onbeat.run values
                      ('a@2026-07-14T18:00:00Z', 'succeeded', 'a', 1, now() + interval '1988 ms', now() + interval '2 s', null, null),
                      ('b@2026-07-14T18:00:00Z', 'dead', 'b', 3, now() + interval '1 s', now() + interval '2 s', 'Boom', E'no \\x1b[31mluck')
                    """);
        }
    }

    static final class Worker {
        public static void main(String[] words) throws Exception {
            Path once = Path.of(System.getenv("ONBEAT_SCHEDULES")).resolveSibling("once");
            if (once.toFile().createNewFile()) {
                System.out.println(
                        "queues " + System.getenv("ONBEAT_QUEUES") + ", tasks of " + System.getenv("ONBEAT_TASKS_DIR"));
                System.out.println("no luck on port " + System.getenv("ONBEAT_HTTP_PORT"));
                System.exit(3);
            }
            new CountDownLatch(1).await();
        }
    }

    static void jar(Path file, Class<?> main) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
        String classPath = Arrays.stream(JavaProgram.classPath().split(":"))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Files.createDirectories(file.getParent());
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
    }
}
