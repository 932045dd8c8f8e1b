package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TriggerCommandTest {
    private final CliSystem system = new CliSystem(CliSystem.NOBODY).schedules("""
            schedules:
              free: {every: 1h, task: noop, overlap: allow, args: {batch: 500}}
              alone: {every: 1h, task: noop}
              daily: {cron: "@daily", task: noop, unique_by: day}
            """);

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void a_schedule_runs_now_and_its_key_is_printed() {
        Cli answer = system.onbeat("trigger", "free");
        assertThat(answer.code()).isZero();
        assertThat(answer.err()).isEmpty();
        String key = answer.lines().get(0);
        assertThat(answer.lines()).hasSize(1);
        assertThat(key).startsWith("free@manual:");
        assertThat(system.state(key)).isEqualTo("queued");
        assertThat(system.ledger().texts("select args from run")).containsExactly("{\"batch\":500}");
        assertThat(system.ledger().number("select count(*) from outbox")).isEqualTo(1);
        assertThat(system.audit()).containsExactly("trigger " + key);
    }

    @Test
    void args_take_the_place_of_the_schedules_own() throws IOException {
        system.onbeat("trigger", "free", "--args", "{\"price\": 1.10}");
        Path file = Files.writeString(directory.resolve("args.json"), "{\"from\": \"file\"}\n");
        system.onbeat("trigger", "free", "--args", "@" + file);
        assertThat(system.ledger().texts("select args from run order by id"))
                .containsExactly("{\"price\": 1.10}", "{\"from\": \"file\"}");
    }

    @Test
    void the_same_key_starts_one_run() {
        assertThat(system.onbeat("trigger", "free", "--key", "order-1"))
                .isEqualTo(new Cli(0, "free@manual:order-1\n", ""));
        assertThat(system.onbeat("trigger", "free", "--key", "order-1"))
                .isEqualTo(new Cli(0, "already there: free@manual:order-1 is queued\n", ""));
        system.ledger().execute("update run set state = 'succeeded', open = false, finished_at = clock()");
        assertThat(system.onbeat("trigger", "free", "--key", "order-1"))
                .isEqualTo(new Cli(0, "already ran: free@manual:order-1 succeeded at 2026-07-14T09:00:00Z\n", ""));
        assertThat(system.onbeat("trigger", "free", "--key", "order-1", "--json")
                        .out())
                .isEqualTo("{\"key\":\"free@manual:order-1\",\"queued\":false,\"state\":\"succeeded\"}\n");
        system.ledger().execute("update run set state = 'dead'");
        assertThat(system.onbeat("trigger", "free", "--key", "order-1").out())
                .isEqualTo("already ran: free@manual:order-1 is dead at 2026-07-14T09:00:00Z; onbeat dead replay"
                        + " free@manual:order-1 runs it again\n");
    }

    @Test
    void once_a_period_is_once_a_period() {
        assertThat(system.onbeat("trigger", "daily", "--json").out())
                .isEqualTo("{\"key\":\"daily@2026-07-14\",\"queued\":true,\"state\":\"queued\"}\n");
        assertThat(system.onbeat("trigger", "daily").out()).isEqualTo("already there: daily@2026-07-14 is queued\n");
        assertThat(system.onbeat("trigger", "daily", "--key", "x"))
                .isEqualTo(
                        new Cli(
                                2,
                                "",
                                "onbeat: --key does not go with daily: it runs once a day (unique_by), and the period is its key\n"));
    }

    @Test
    void a_schedule_without_overlap_is_not_started_beside_its_active_run() {
        String key = system.onbeat("trigger", "alone").lines().get(0);
        assertThat(system.onbeat("trigger", "alone"))
                .isEqualTo(
                        new Cli(
                                1,
                                "",
                                "onbeat: alone was not started: its run " + key
                                        + " is active, and the schedule allows no overlap; wait for it, or onbeat cancel it\n"));
    }

    @Test
    void wrong_values_are_told_in_one_line() throws IOException {
        assertWrong("no schedule \"fre\"; did you mean \"free\"?", "fre");
        assertWrong("no schedule \"nightly-batch\"; there is alone, daily, free", "nightly-batch");
        assertWrong("--args: \"[1]\" is no JSON object: write '{\"name\": \"value\"}'", "free", "--args", "[1]");
        assertWrong(
                "--args: \"{} {}\" goes on after the JSON object: write '{\"name\": \"value\"}'",
                "free",
                "--args",
                "{} {}");
        assertThat(trigger("free", "--args", "{a: 1}").err())
                .contains("\"{a: 1}\" is no JSON object (")
                .hasLineCount(1);
        assertThat(trigger("free", "--args", "{\"a\": 1, \"a\": 2}").err()).contains("uplicate");
        assertThat(trigger("free", "--args", "{\"a\":" + "[".repeat(600) + "]".repeat(600) + "}")
                        .code())
                .isEqualTo(2);
        assertThat(trigger("free", "--args", "@/no/such/file").err())
                .isEqualTo(
                        "onbeat: --args: cannot read \"/no/such/file\" as UTF-8 text: give @ and the path of a JSON file\n");
        Path large = Files.writeString(directory.resolve("large.json"), "{\"a\":\"" + "x".repeat(1 << 20) + "\"}");
        assertWrong(
                "--args: 1048584 bytes are over 1 MB: pass a reference to the data instead",
                "free",
                "--args",
                "@" + large);
        assertWrong("--timeout goes with --wait only: add it", "free", "--timeout", "1s");
        assertThat(trigger("free", "--wait", "--timeout", "soon").err()).startsWith("onbeat: --timeout: \"soon\"");
        assertThat(trigger("free", "--key", "k".repeat(300)).code()).isEqualTo(2);
        assertThat(system.ledger().number("select count(*) from run")).isZero();
    }

    private Cli trigger(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "trigger";
        System.arraycopy(args, 0, all, 1, args.length);
        return system.onbeat(all);
    }

    private void assertWrong(String message, String... args) {
        assertThat(trigger(args)).isEqualTo(new Cli(2, "", "onbeat: " + message + "\n"));
    }

    @Test
    void waiting_ends_with_the_run() {
        CompletableFuture<Cli> waiting =
                CompletableFuture.supplyAsync(() -> system.onbeat("trigger", "free", "--key", "a", "--wait"));
        await().until(() -> system.ledger().number("select count(*) from run") == 1);
        assertThat(waiting).isNotDone();
        end("free@manual:a", "succeeded");
        assertThat(waiting)
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo(new Cli(0, "free@manual:a\nsucceeded at 2026-07-14T09:00:00Z\n", ""));
        end("free@manual:a", "skipped");
        assertThat(trigger("free", "--key", "a", "--wait").code()).isZero();
    }

    @Test
    void waiting_for_a_run_that_ends_badly_is_a_failure() {
        trigger("free", "--key", "a");
        end("free@manual:a", "dead");
        system.error("free@manual:a", "Broken", "no luck");
        assertThat(trigger("free", "--key", "a", "--wait"))
                .isEqualTo(new Cli(
                        1,
                        "already ran: free@manual:a is dead at 2026-07-14T09:00:00Z; onbeat dead replay free@manual:a runs"
                                + " it again\n",
                        "onbeat: free@manual:a is dead: no luck; onbeat run shows all of it\n"));
        assertThat(trigger("free", "--key", "a", "--wait", "--json").out())
                .startsWith("{\"key\":\"free@manual:a\",\"state\":\"dead\",")
                .endsWith("\"queued\":false}\n");
        end("free@manual:a", "cancelled");
        assertThat(trigger("free", "--key", "a", "--wait").code()).isEqualTo(1);
    }

    @Test
    void waiting_ends_at_its_timeout_and_the_run_goes_on() {
        assertThat(trigger("free", "--key", "a", "--wait", "--timeout", "100ms"))
                .isEqualTo(
                        new Cli(
                                1,
                                "free@manual:a\n",
                                "onbeat: free@manual:a is still queued after 100ms: it goes on; onbeat run shows where it stands\n"));
        assertThat(system.state("free@manual:a")).isEqualTo("queued");
    }

    private void end(String key, String state) {
        system.ledger()
                .execute(
                        "update run set state = ?::run_state, open = false, finished_at = clock() where key = ?",
                        state,
                        key);
    }

    @Test
    void an_empty_key_and_a_word_that_has_lost_letters_are_refused() {
        assertThat(system.onbeat("trigger", "free", "--key", " ").code()).isEqualTo(2);
        Cli lost = system.onbeat("trigger", "free", "--key", "order-\uFFFD\uFFFD");
        assertThat(lost.code()).isEqualTo(2);
        assertThat(lost.err()).contains("LC_ALL=C.UTF-8").hasLineCount(1);
        assertThat(system.ledger().number("select count(*) from run")).isZero();
    }
}
