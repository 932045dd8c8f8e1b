package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.DebianPackages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands of deploy/examples/python/README.md, as they stand there, in a folder like a fresh clone that is built. */
class PythonExamplesTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern COMMAND = Pattern.compile("^```sh\n(.*?)\n```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final List<String> BUILT =
            List.of("beat/target", "worker/target", "deploy/local/target", "deploy/examples/tasks/target");

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private Path clone;
    private Process running;

    @AfterEach
    void stop() throws InterruptedException {
        running.descendants().forEach(ProcessHandle::destroy);
        running.destroy();
        if (!running.waitFor(2, TimeUnit.MINUTES)) {
            running.destroyForcibly();
        }
    }

    @Test
    void the_python_program_runs() throws Exception {
        start("schedule.yaml");
        Path reports = clone.resolve(".onbeat/reports");
        cluster.books()
                .await(LIMIT, "select count(*) > 0 from run where schedule = 'python-report' and state = 'succeeded'");
        String file = cluster.books().text("select result->>'file' from run where schedule = 'python-report' limit 1");
        String day = cluster.books()
                .text("select split_part(key, '@', 2) from run where schedule = 'python-report' limit 1");
        assertThat(Path.of(file).getFileName()).hasToString(day + ".txt");
        assertThat(reports.resolve(day + ".txt")).hasContent("Daily report, " + day);
        assertThat(cluster.books().texts("select key from once where finished_at is not null"))
                .contains("run:python-report@" + day + "#write");
        assertThat(stopped()).isTrue();
    }

    @Test
    void the_celery_worker_runs_what_onbeat_fires() throws Exception {
        DebianPackages.install("python3-celery", "python3-psycopg2");
        start("celery-demo");
        Path settled = clone.resolve(".onbeat/settled.jsonl");
        await().atMost(LIMIT)
                .until(() ->
                        Files.exists(settled) && !Files.readAllLines(settled).isEmpty());
        assertThat(Files.readAllLines(settled).get(0))
                .contains("\"run_key\": \"shop-settle@")
                .contains("\"args\": [\"EUR\", 9007199254740993]")
                .contains("\"kwargs\": {\"note\": \"\\u00c5se \\ud83d\\ude00\", \"nothing\": null}");
        assertThat(stopped()).isTrue();
    }

    private void start(String naming) throws IOException {
        clone = clone(cluster.folder().resolve("clone-" + naming));
        String page = Files.readString(clone.resolve("deploy/examples/python/README.md"));
        String command = COMMAND.matcher(page)
                .results()
                .map(match -> match.group(1))
                .filter(line -> line.contains(naming))
                .findFirst()
                .orElseThrow();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(clone.toFile())
                .redirectErrorStream(true)
                .redirectOutput(cluster.folder().resolve(naming + ".out").toFile());
        Map<String, String> environment = new HashMap<>(Processes.environment(cluster.settings()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        running = builder.start();
    }

    /** Stopped as by Ctrl-C: nothing of it goes on. */
    private boolean stopped() throws InterruptedException {
        List<ProcessHandle> all = running.descendants().toList();
        running.destroy();
        assertThat(running.waitFor(2, TimeUnit.MINUTES)).isTrue();
        await().atMost(Duration.ofMinutes(1)).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        return true;
    }

    /** The files that a user has, and what a build has made of them. */
    private static Path clone(Path to) throws IOException {
        Files.createDirectories(to.resolve("deploy/examples/tasks"));
        Files.copy(
                Processes.root().resolve("onbeat"),
                to.resolve("onbeat"),
                java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        copy(Processes.root().resolve("deploy/examples/python"), to.resolve("deploy/examples/python"));
        for (String built : BUILT) {
            Files.createDirectories(to.resolve(built).getParent());
            Files.createSymbolicLink(to.resolve(built), Processes.root().resolve(built));
        }
        return to;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    Files.copy(file, to.resolve(file.getFileName()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
        }
    }
}
