package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    Path root;

    @BeforeEach
    void build() throws Exception {
        StandIn.jar(root.resolve("beat/target/onbeat-beat.jar"), StandIn.Beat.class);
        StandIn.jar(root.resolve("worker/target/onbeat-worker.jar"), StandIn.Worker.class);
        Files.createFile(root.resolve("schedule.yaml"));
    }

    @Test
    void startsAllTellsOfRunsRestartsWhatEndsAndStopsInOrder() throws Exception {
        try (JavaProgram up =
                up(Map.of("ONBEAT_QUEUES", "own", "ONBEAT_TASKS_DIR", "/own"), "first", "--workers", "1")) {
            await().atMost(LIMIT).until(() -> up.said().contains("Onbeat is up: one beat, 1 workers"));
            assertThat(up.said()).contains("http://127.0.0.1:").contains("user onbeat   password ");
            Path environment = root.resolve(".onbeat/env");
            assertThat(Files.readString(environment))
                    .contains("ONBEAT_DATABASE_URL='jdbc:postgresql://127.0.0.1:")
                    .contains("ONBEAT_AMQP_URL='amqp://onbeat:");
            assertThat(Files.getPosixFilePermissions(environment))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(up.said())
                            .containsPattern(
                                    "(?m)^\\d\\d:\\d\\d:\\d\\d  a@2026-07-14T18:00:00Z  succeeded  12 ms  attempt 1$")
                            .containsOnlyOnce(
                                    "b@2026-07-14T18:00:00Z  dead  1000 ms  attempt 3  Boom: no \\u001b[31mluck")
                            .contains("queues own, tasks of /own\n")
                            .containsPattern("no luck on port \\d+\n")
                            .contains("worker-1 ended unexpectedly (exit 3): starts again in 1 s"));

            try (JavaProgram second = up("second")) {
                assertThat(second.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(second.process().exitValue()).isEqualTo(2);
                assertThat(second.said())
                        .isEqualTo("onbeat up: it is already running here (process "
                                + up.process().pid() + "); stop that one first\n");
            }

            await().atMost(LIMIT).until(() -> Files.exists(root.resolve(".onbeat/run/worker-1.pid")));
            Set<ProcessHandle> all = Processes.below(up.process().pid());
            up.process().destroy();
            assertThat(up.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(up.process().exitValue()).isZero();
            assertThat(up.said())
                    .containsSubsequence("stopping: the workers", "beat and workers have stopped", "all has stopped");
            assertThat(Processes.living(all)).isEmpty();
            assertThat(environment).doesNotExist();
        }
    }

    @Test
    void killedServersAreStartedAgainOnTheSamePortsAndData() throws Exception {
        try (JavaProgram up = up("killed", "--workers", "0")) {
            await().atMost(LIMIT).until(() -> up.said().contains("Onbeat is up: one beat, 0 workers"));
            Properties known = environment();
            kill("postgres/pid", "/postgres");
            kill("rabbitmq/pid", "/beam.smp");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(up.said())
                            .containsOnlyOnce("PostgreSQL ended unexpectedly (exit 137): starts again in 1 s")
                            .containsPattern("RabbitMQ ended unexpectedly \\(exit \\d+\\): starts again in 1 s")
                            .contains("PostgreSQL runs again, on the same port and data")
                            .contains("RabbitMQ runs again, on the same port and data"));
            assertThat(environment()).isEqualTo(known);
            assertThat(Ports.answers(
                            URI.create(known.getProperty("ONBEAT_AMQP_URL")).getPort()))
                    .isTrue();
            DriverManager.getConnection(
                            known.getProperty("ONBEAT_DATABASE_URL"),
                            known.getProperty("ONBEAT_DATABASE_USER"),
                            known.getProperty("ONBEAT_DATABASE_PASSWORD"))
                    .close();

            Set<ProcessHandle> all = Processes.below(up.process().pid());
            up.process().destroy();
            assertThat(up.process().waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(up.said())
                    .containsSubsequence("  stopping\n", "  the beat has stopped\n", "all has stopped")
                    .doesNotContain("the workers finish");
            assertThat(Processes.living(all)).isEmpty();
        }
    }

    private void kill(String pidFile, String program) throws Exception {
        long pid = Long.parseLong(
                Files.readString(root.resolve(".onbeat").resolve(pidFile)).strip());
        ProcessHandle started = ProcessHandle.of(pid).orElseThrow();
        Stream.concat(Stream.of(started), started.descendants())
                .filter(process -> process.info().command().orElse("").endsWith(program))
                .findFirst()
                .orElseThrow()
                .destroyForcibly();
    }

    private Properties environment() throws Exception {
        Properties variables = new Properties();
        variables.load(
                new StringReader(Files.readString(root.resolve(".onbeat/env")).replace("'", "")));
        return variables;
    }

    @Test
    void whatCannotBeIsSaidInOneLine() throws Exception {
        assertRefused("--workers", "many").isEqualTo("onbeat up: --workers many: a number from 0 to 64 is needed\n");
        assertRefused("--wokers", "3").contains("unknown word --wokers; usage: onbeat up");
        Files.delete(root.resolve("worker/target/onbeat-worker.jar"));
        assertRefused().contains("onbeat-worker.jar is not built");
    }

    private AbstractStringAssert<?> assertRefused(String... words) throws Exception {
        try (JavaProgram up = up("refused", words)) {
            assertThat(up.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(up.process().exitValue()).isEqualTo(2);
            return assertThat(up.said());
        }
    }

    private JavaProgram up(String name, String... words) throws Exception {
        return up(Map.of(), name, words);
    }

    private JavaProgram up(Map<String, String> environment, String name, String... words) throws Exception {
        String[] all = Stream.concat(
                        Stream.of(
                                "--root",
                                root.toString(),
                                "--schedules",
                                root.resolve("schedule.yaml").toString()),
                        Stream.of(words))
                .toArray(String[]::new);
        return JavaProgram.start(environment, Up.class, root.resolve(name), all);
    }
}
