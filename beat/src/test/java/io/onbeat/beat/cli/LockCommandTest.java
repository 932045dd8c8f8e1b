package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockCommandTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final CliSystem system = new CliSystem(CliSystem.NOBODY);

    @TempDir
    Path folder;

    @BeforeEach
    void runningClock() {
        system.ledger().freeClock();
    }

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void the_command_runs_with_its_token_and_its_exit_code_is_passed_on() {
        Cli first = lock("stock", "echo \"$ONBEAT_LOCK $ONBEAT_LOCK_TOKEN\"; exit 3");
        Cli second = lock("stock", "echo \"$ONBEAT_LOCK $ONBEAT_LOCK_TOKEN\"");

        assertThat(first).isEqualTo(new Cli(3, "stock 1\n", ""));
        assertThat(second).isEqualTo(new Cli(0, "stock 2\n", ""));
        assertThat(system.ledger().number("select count(*) from lock")).isZero();
    }

    @Test
    void a_busy_lock_is_exit_75_and_runs_nothing() throws Exception {
        CompletableFuture<Cli> first = held("stock");

        Cli busy = lock("stock", "touch " + folder.resolve("ran"));
        Cli other = lock("other", "true");

        assertThat(busy.code()).isEqualTo(75);
        assertThat(busy.err()).matches("onbeat: stock is held by cli:.+\n");
        assertThat(folder.resolve("ran")).doesNotExist();
        assertThat(other.code()).isZero();
        Files.createFile(folder.resolve("go"));
        assertThat(first.get(3, TimeUnit.MINUTES).code()).isZero();
    }

    @Test
    void of_many_that_wait_one_runs_at_a_time() throws Exception {
        String script = "cd " + folder + "; mkdir inside || exit 9; rmdir inside; echo >> done";
        List<CompletableFuture<Cli>> calls = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> system.onbeat("lock", "stock", "--wait", "2m", "--", "sh", "-c", script)))
                .toList();

        for (CompletableFuture<Cli> call : calls) {
            assertThat(call.get(3, TimeUnit.MINUTES)).isEqualTo(new Cli(0, "", ""));
        }
        assertThat(Files.readAllLines(folder.resolve("done"))).hasSize(6);
    }

    @Test
    void a_lock_that_was_lost_ends_the_command() throws Exception {
        CompletableFuture<Cli> first = held("stock");

        system.ledger().execute("update lock set holder = gen_random_uuid(), owner = 'another'");

        Cli lost = first.get(3, TimeUnit.MINUTES);
        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err()).contains("the lock stock was lost, and the command was ended");
        assertThat(system.ledger().texts("select owner from lock")).containsExactly("another");
    }

    @Test
    void wrong_words_are_told_in_one_line() {
        assertThat(system.onbeat("lock", "stock").code()).isEqualTo(2);
        // else --help would be taken for ours, and nothing would run
        assertThat(system.onbeat("lock", "stock", "echo", "--help"))
                .isEqualTo(new Cli(2, "", "onbeat: put the command behind --, as in: onbeat lock stock -- COMMAND\n"));
        assertThat(lock(" ", "true").err()).startsWith("onbeat: a lock's name is 1 to 255 characters");
        assertThat(system.onbeat("lock", "stock", "--ttl", "1ms", "--", "true"))
                .isEqualTo(new Cli(2, "", "onbeat: a lock's time to live is 200ms to 1d, and not 1ms\n"));
        assertThat(system.onbeat("lock", "stock", "--wait", "soon", "--", "true")
                        .err())
                .startsWith("onbeat: --wait: \"soon\" is not a duration");
    }

    private Cli lock(String name, String script) {
        return system.onbeat("lock", name, "--", "sh", "-c", script);
    }

    /** A call that holds the lock until there is a file named go. */
    private CompletableFuture<Cli> held(String name) {
        String script = "cd " + folder + "; echo > began; until [ -e go ]; do sleep 0.05; done";
        CompletableFuture<Cli> call = CompletableFuture.supplyAsync(
                () -> system.onbeat("lock", name, "--ttl", "12s", "--", "sh", "-c", script));
        await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("began")));
        return call;
    }
}
