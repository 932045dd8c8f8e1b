package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnceCommandTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final CliSystem system = new CliSystem(CliSystem.NOBODY);

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        system.close();
    }

    private Cli once(String key, String script) {
        return system.onbeat("once", key, "--", "sh", "-c", script);
    }

    /** How often a script came to its line {@code echo >> done}. */
    private long done() throws IOException {
        Path file = folder.resolve("done");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private String work(String more) {
        return "cd " + folder + "; " + more + "; echo >> done";
    }

    @Test
    void the_second_call_prints_the_kept_result_and_runs_nothing() throws IOException {
        String script =
                work("echo start; echo '{\"big\": 9007199254740993, \"who\": \"Åse 😀\", \"none\": null}'; echo 7");
        assertThat(once("mail", script))
                .isEqualTo(
                        new Cli(0, "start\n{\"big\": 9007199254740993, \"who\": \"Åse 😀\", \"none\": null}\n7\n", ""));
        assertThat(once("mail", script))
                .isEqualTo(new Cli(0, "{\"big\": 9007199254740993, \"who\": \"Åse 😀\", \"none\": null}\n", ""));
        assertThat(once("other", work("echo plain"))).isEqualTo(new Cli(0, "plain\n", ""));
        assertThat(once("other", work("echo plain"))).isEqualTo(new Cli(0, "", ""));
        assertThat(done()).isEqualTo(2);
    }

    @Test
    void a_command_that_fails_leaves_its_exit_code_and_is_run_again() throws IOException {
        assertThat(once("mail", "exit 3").code()).isEqualTo(3);
        assertThat(once("mail", "exit 75").code()).isEqualTo(75);
        assertThat(once("mail", "kill -9 $$").code()).isEqualTo(137);
        assertThat(system.onbeat("once", "mail", "--", "no-such-program").code())
                .isEqualTo(127);
        assertThat(once("mail", work(":")).code()).isZero();
        assertThat(system.ledger().texts("select starts || ' ' || (finished_at is not null) from once"))
                .containsExactly("5 true");
    }

    @Test
    void the_run_that_it_is_called_in_is_on_record() {
        system.environment()
                .putAll(Map.of("ONBEAT_RUN_KEY", "nightly@1", "ONBEAT_RUN_FILE", "/x", "ONBEAT_ATTEMPT", "1"));
        assertThat(once("mail", "echo \"$ONBEAT_ONCE_KEY\"").out()).isEqualTo("mail\n");
        assertThat(system.ledger().texts("select run_key from once")).containsExactly("nightly@1");
    }

    @Test
    void whoever_comes_while_it_is_under_way_is_told_so() throws Exception {
        CompletableFuture<Cli> first = CompletableFuture.supplyAsync(
                () -> once("mail", work("echo > began; until [ -e go ]; do sleep 0.05; done")));
        await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("began")));
        Cli second = once("mail", work(":"));
        assertThat(second.code()).isEqualTo(75);
        assertThat(second.err()).matches("onbeat: mail: cli:.+ is at it just now\n");
        Files.createFile(folder.resolve("go"));
        assertThat(first.get(3, TimeUnit.MINUTES).code()).isZero();
        assertThat(done()).isEqualTo(1);
    }

    @Test
    void of_many_at_once_one_runs() throws Exception {
        List<CompletableFuture<Cli>> calls = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> once("mail", work("echo '[1]'"))))
                .toList();
        for (CompletableFuture<Cli> call : calls) {
            assertThat(call.get(3, TimeUnit.MINUTES).code()).isIn(0, 75);
        }
        assertThat(done()).isEqualTo(1);
        assertThat(once("mail", work(":"))).isEqualTo(new Cli(0, "[1]\n", ""));
    }

    @Test
    void a_start_that_was_taken_over_ends_the_command_and_records_nothing() throws Exception {
        CompletableFuture<Cli> first = CompletableFuture.supplyAsync(() -> system.onbeat(
                "once", "mail", "--lease", "1s", "--", "sh", "-c", work("echo $$ > pid; sleep 1000; sleep 1000")));
        Path pid = folder.resolve("pid");
        await().atMost(LIMIT).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        system.ledger().execute("update once set holder = gen_random_uuid()");
        Cli lost = first.get(3, TimeUnit.MINUTES);
        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err()).contains("the lease of mail was lost, and the command was ended");
        assertThat(done()).isZero();
        assertThat(living(pid)).isEmpty();
        assertThat(system.ledger().texts("select finished_at is null from once"))
                .containsExactly("t");
    }

    @Test
    void the_lease_lasts_as_long_as_the_command() throws Exception {
        system.ledger().freeClock();
        CompletableFuture<Cli> first = CompletableFuture.supplyAsync(() -> system.onbeat(
                "once",
                "mail",
                "--lease",
                "1s",
                "--",
                "sh",
                "-c",
                work("echo > began; until [ -e go ]; do sleep 0.05; done")));
        await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("began")));
        // renewed more than once
        await().atMost(LIMIT)
                .until(() -> system.ledger()
                        .texts("select lease_until - started_at > interval '2500 ms' from once")
                        .equals(List.of("t")));
        assertThat(once("mail", work(":")).code()).isEqualTo(75);
        Files.createFile(folder.resolve("go"));
        assertThat(first.get(3, TimeUnit.MINUTES).code()).isZero();
    }

    @Test
    void a_killed_call_takes_its_command_along() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OnbeatCli.class.getName(),
                        "once",
                        "mail",
                        "--",
                        "sh",
                        "-c",
                        work("echo $$ > pid; sleep 1000; sleep 1000"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().putAll(system.environment());
        Process call = builder.start();
        Path pid = folder.resolve("pid");
        await().atMost(LIMIT).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        assertThat(living(pid)).hasSize(1);
        call.destroyForcibly();
        await().atMost(LIMIT).until(() -> living(pid).isEmpty());
    }

    private static List<ProcessHandle> living(Path pids) throws IOException {
        return Files.readAllLines(pids).stream()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .filter(handle -> !isZombie(handle.pid()))
                .toList();
    }

    private static boolean isZombie(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.anyMatch(line -> line.startsWith("State:") && line.contains("Z"));
        } catch (IOException gone) {
            return true;
        }
    }

    @Test
    void wrong_words_are_told_in_one_line() {
        assertThat(system.onbeat("once", "mail").code()).isEqualTo(2);
        assertThat(once(" ", ":").err()).startsWith("onbeat: KEY \"\" must have 1 to 500 characters");
        assertThat(system.onbeat("once", "mail", "--lease", "soon", "--", "true")
                        .err())
                .startsWith("onbeat: --lease: \"soon\" is not a duration");
        assertThat(system.onbeat("once", "mail", "--lease", "10ms", "--", "true")
                        .err())
                .isEqualTo("onbeat: --lease 10ms is less than 1s\n");
    }
}
