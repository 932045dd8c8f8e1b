package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.DebianPackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** deploy/examples/python/onbeat.py, at the ledger and over the command line. */
class PythonHelperTest {
    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final List<Process> processes = new ArrayList<>();

    /** How the helper reaches the ledger. */
    enum Way {
        DRIVER,
        COMMAND
    }

    @BeforeAll
    static void install() {
        DebianPackages.install("python3-psycopg2");
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process python(Way way, String name, Map<String, String> more, String script) throws IOException {
        Path file = Files.writeString(cluster.folder().resolve(name + ".py"), script);
        ProcessBuilder builder = new ProcessBuilder("/usr/bin/python3", file.toString())
                .directory(cluster.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output(name).toFile());
        builder.environment().clear();
        builder.environment().putAll(Processes.environment(Map.of()));
        builder.environment()
                .put(
                        "PYTHONPATH",
                        Processes.root().resolve("deploy/examples/python").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        // the driver is asked where the settings are in the environment; the command finds them in a file
        if (way == Way.DRIVER) {
            builder.environment().putAll(cluster.settings());
        } else {
            Path wrapper = cluster.folder().resolve("onbeat-" + name);
            StringBuilder text = new StringBuilder("#!/bin/sh\n");
            cluster.settings()
                    .forEach((key, value) -> text.append("export ")
                            .append(key)
                            .append("='")
                            .append(value)
                            .append("'\n"));
            text.append("exec ")
                    .append(String.join(" ", Processes.command(Processes.beatJar(), List.of())))
                    .append(" \"$@\"\n");
            Files.writeString(wrapper, text);
            assertThat(wrapper.toFile().setExecutable(true)).isTrue();
            builder.environment().put("ONBEAT_COMMAND", wrapper.toString());
        }
        builder.environment().putAll(more);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static Path output(String name) {
        return cluster.folder().resolve(name + ".out");
    }

    private static int exit(Process process) throws InterruptedException {
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @EnumSource
    void a_step_that_fails_is_done_again_and_one_that_is_done_is_not(Way way) throws Exception {
        String script = """
                import onbeat
                try:
                    with onbeat.once("mail") as step:
                        raise ValueError("no luck")
                except ValueError:
                    pass
                for _ in range(2):
                    with onbeat.once("mail") as step:
                        if step.todo:
                            step.result = {"start": step.start, "big": 9007199254740993, "text": "Åse 😀", "none": None, "empty": []}
                    print(step.todo)
                onbeat.result(step.result)
                """;
        Process process = python(way, "fails-" + way, Map.of("ONBEAT_RUN_KEY", "nightly@" + way), script);
        int exit = exit(process);
        assertThat(Files.readString(output("fails-" + way))).isEqualTo("""
                True
                False
                {"start": 2, "big": 9007199254740993, "text": "\\u00c5se \\ud83d\\ude00", "none": null, "empty": []}
                """);
        assertThat(exit).isZero();
        assertThat(cluster.books().texts("select run_key from once where key = ?", "run:nightly@" + way + "#mail"))
                .containsExactly("nightly@" + way);
    }

    @Test
    void of_many_at_once_one_does_it_whichever_way_they_come() throws Exception {
        String script = """
                import onbeat
                with onbeat.once(key="together") as step:
                    if step.todo:
                        open("together", "a").write("x\\n")
                        step.result = [1]
                """;
        List<Process> all = IntStream.range(0, 8)
                .mapToObj(i -> {
                    try {
                        return python(i < 6 ? Way.DRIVER : Way.COMMAND, "together-" + i, Map.of(), script);
                    } catch (IOException failed) {
                        throw new IllegalStateException(failed);
                    }
                })
                .toList();
        for (int i = 0; i < all.size(); i++) {
            if (exit(all.get(i)) != 0) {
                assertThat(Files.readString(output("together-" + i))).contains("onbeat.Busy");
            }
        }
        assertThat(Files.readAllLines(cluster.folder().resolve("together"))).hasSize(1);
        assertThat(cluster.books().texts("select result from once where key = 'together'"))
                .containsExactly("[1]");
    }

    @ParameterizedTest
    @EnumSource
    void a_program_asks_for_another_attempt_by_exit_75(Way way) throws Exception {
        cluster.books().execute("""
                insert into once (key, run_key, holder, lease_until, started_at)
                values (?, 'other', gen_random_uuid(), clock() + interval '1 hour', clock())""", "busy-" + way);
        Path run = Files.writeString(
                cluster.folder().resolve("run.json"),
                "{\"run_key\": \"a@1\", \"schedule\": null, \"task\": \"exec\", \"fire_at\": \"2026-07-14T18:00:00Z\","
                        + " \"attempt\": 2, \"max_attempts\": 4, \"args\": {\"input\": [1]}}");
        String script = """
                import onbeat
                def main(run):
                    print(run.run_key, run.schedule, run.fire_at.isoformat(), run.attempt, run.max_attempts, run.input, flush=True)
                    with onbeat.once(key="busy-%s"):
                        raise AssertionError("not to be reached")
                onbeat.main(main)
                """.formatted(way);
        Process process = python(
                way,
                "busy-" + way,
                Map.of(
                        "ONBEAT_RUN_FILE",
                        run.toString(),
                        "ONBEAT_WORK_DIR",
                        cluster.folder().toString()),
                script);
        assertThat(exit(process)).isEqualTo(75);
        assertThat(Files.readString(output("busy-" + way)))
                .startsWith("a@1 None 2026-07-14T18:00:00+00:00 2 4 [1]\n")
                .contains("busy-" + way);
    }

    @Test
    void a_lock_has_one_holder_whose_token_grows_and_who_hears_of_its_loss() throws Exception {
        String script = """
                import onbeat, time
                with onbeat.lock("stock") as first:
                    try:
                        with onbeat.lock("stock"):
                            print("two holders")
                    except onbeat.Busy as busy:
                        print(busy)
                    first.check()
                try:
                    with onbeat.lock("stock", wait=5, ttl=1) as second:
                        print(second.token > first.token > 0)
                        open("held", "w").close()
                        while True:
                            second.check()
                            time.sleep(0.05)
                except onbeat.Lost as lost:
                    print(lost)
                """;
        Process process = python(Way.COMMAND, "lock", Map.of(), script);
        await().atMost(Duration.ofMinutes(3))
                .until(() -> Files.exists(cluster.folder().resolve("held")));
        cluster.books().execute("update lock set holder = gen_random_uuid()");
        int exit = exit(process);
        assertThat(Files.readString(output("lock")).lines().filter(line -> !line.startsWith("onbeat: ")))
                .containsExactly("another is at the lock stock", "True", "the lock was lost");
        assertThat(exit).isZero();
    }
}
