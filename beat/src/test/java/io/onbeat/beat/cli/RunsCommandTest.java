package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunsCommandTest {
    private final CliSystem system = new CliSystem(CliSystem.NOBODY)
            .schedules("schedules:\n  tick: {every: 1m, task: noop}\n  tock: {every: 1m, task: noop}\n");

    @AfterEach
    void close() {
        system.close();
    }

    private void threeRuns() {
        system.run("tick@1", "tick", "succeeded");
        system.run("tock@1", "tock", "dead");
        system.error("tock@1", "java.io.IOException", "no route\nto host");
        system.run("tick@2", "tick", "queued");
    }

    @Test
    void runs_are_listed_newest_first() {
        threeRuns();
        assertThat(system.onbeat("runs")).isEqualTo(new Cli(0, """
                        KEY     STATE      ATTEMPT  STARTED AT            LATE  TOOK  WORKER  ERROR
                        tick@2  queued     0        -                     -     -     -       -
                        tock@1  dead       1        2026-07-14T08:59:02Z  2s    1s    w1      no route to host
                        tick@1  succeeded  1        2026-07-14T08:59:02Z  2s    1s    w1      -
                        """, ""));
    }

    @Test
    void filters_choose_among_them() {
        threeRuns();
        system.ledger().execute("update run set fire_at = clock() - interval '2 h' where key = 'tick@1'");
        assertThat(keys("--schedule", "tick")).containsExactly("tick@2", "tick@1");
        assertThat(keys("--state", "dead")).containsExactly("tock@1");
        assertThat(keys("--state", "queued")).containsExactly("tick@2");
        assertThat(keys("--since", "1h")).containsExactly("tick@2", "tock@1");
        assertThat(keys("--since", "3h ago")).hasSize(3);
        assertThat(keys("--since", "2026-07-14T16:00:00+08:00")).containsExactly("tick@2", "tock@1");
        assertThat(keys("--error", "route")).containsExactly("tock@1");
        assertThat(keys("--error", "IOException", "--schedule", "tick")).isEmpty();
    }

    private List<String> keys(String... options) {
        String[] all = new String[options.length + 1];
        all[0] = "runs";
        System.arraycopy(options, 0, all, 1, options.length);
        Cli answer = system.onbeat(all);
        assertThat(answer.err()).isEmpty();
        return answer.lines().stream()
                .filter(line -> line.contains("@"))
                .map(line -> line.split(" ")[0])
                .toList();
    }

    @Test
    void a_limit_says_that_there_are_more() {
        threeRuns();
        assertThat(system.onbeat("runs", "--limit", "2").lines())
                .hasSize(5)
                .last()
                .isEqualTo("the newest 2; there are more: --limit");
        assertThat(system.onbeat("runs", "--limit", "3").lines()).hasSize(4);
    }

    @Test
    void json_has_the_ledgers_words_and_utc_instants() {
        threeRuns();
        assertThat(system.onbeat("runs", "--json", "--state", "dead"))
                .isEqualTo(new Cli(
                        0,
                        "[{\"key\":\"tock@1\",\"state\":\"dead\",\"waiting_for\":null,\"schedule\":\"tock\",\"task\":\"noop\",\"queue\":\"default\","
                                + "\"origin\":\"schedule\",\"fire_at\":\"2026-07-14T08:59:00Z\",\"attempt\":1,\"failures\":1,"
                                + "\"max_attempts\":1,\"queued_at\":\"2026-07-14T08:59:00Z\","
                                + "\"started_at\":\"2026-07-14T08:59:02Z\",\"finished_at\":\"2026-07-14T08:59:03Z\","
                                + "\"next_attempt_at\":null,\"late_ms\":2000,\"took_ms\":1000,\"worker\":\"w1\","
                                + "\"cancel_requested\":false,\"error_class\":\"java.io.IOException\","
                                + "\"error_message\":\"no route\\nto host\",\"args\":{\"batch\": 5},\"result\":null}]\n",
                        ""));
    }

    @Test
    void an_empty_ledger_has_no_runs() {
        assertThat(system.onbeat("runs")).isEqualTo(new Cli(0, "no runs\n", ""));
        assertThat(system.onbeat("runs", "--json")).isEqualTo(new Cli(0, "[]\n", ""));
        assertThat(system.onbeat("runs", "--schedule", "tick").code()).isZero();
    }

    @Test
    void wrong_values_are_told_in_one_line() {
        assertWrong("--schedule: no schedule \"tik\"; did you mean \"tick\"?", "runs", "--schedule", "tik");
        assertWrong("--schedule: no schedule \"nightly\"; there is tick, tock", "runs", "--schedule", "nightly");
        assertWrong(
                "--state: no run state 'done'; it is one of waiting, queued, running, retrying, succeeded, skipped, dead,"
                        + " cancelled, expired",
                "runs",
                "--state",
                "done");
        assertWrong(
                "--since: \"soon\" is neither an instant nor a duration: write 2026-07-14T00:00:00Z, or 1h for an hour ago",
                "runs",
                "--since",
                "soon");
        assertWrong("--limit: 0 is out of range: use 1 to 100000", "runs", "--limit", "0");
        assertWrong("no run \"tick@9\" in the ledger: onbeat runs lists the keys", "run", "tick@9");
    }

    private void assertWrong(String message, String... args) {
        assertThat(system.onbeat(args)).isEqualTo(new Cli(2, "", "onbeat: " + message + "\n"));
    }

    @Test
    void one_run_is_shown_with_its_failed_attempts() {
        threeRuns();
        assertThat(system.onbeat("run", "tock@1")).isEqualTo(new Cli(0, """
                        key               tock@1
                        state             dead
                        schedule          tock
                        task              noop
                        queue             default
                        origin            schedule
                        fire at           2026-07-14T08:59:00Z
                        attempt           1
                        failures          1
                        max attempts      1
                        queued at         2026-07-14T08:59:00Z
                        started at        2026-07-14T08:59:02Z
                        finished at       2026-07-14T08:59:03Z
                        late              2s
                        took              1s
                        worker            w1
                        cancel requested  false
                        error class       java.io.IOException
                        error message     no route
                                          to host
                        args              {"batch": 5}
                        timeout           5m
                        retry             {"max_attempts":1}

                        attempt 1 failed at 2026-07-14T08:59:03Z on w1
                          java.io.IOException: no route
                          to host
                              at Task.run(Task.java:7)
                        """, ""));
        assertThat(system.onbeat("run", "tock@1", "--json").out())
                .startsWith("{\"key\":\"tock@1\",")
                .contains(
                        "\"timeout_ms\":300000,\"retry\":{\"max_attempts\":1},\"expires_at\":null,\"lease_until\":null")
                .contains("\"attempts\":[{\"attempt\":1,\"outcome\":\"failed\",\"worker\":\"w1\",")
                .contains(
                        "\"stack_trace\":\"java.io.IOException: no route\\nto host\\n\\tat Task.run(Task.java:7)\"}]}");
    }

    @Test
    void a_running_run_tells_how_far_it_is() {
        threeRuns();
        system.ledger()
                .execute(
                        "update run set state = 'running', attempt = 2,"
                                + " progress = '{\"attempt\":2,\"fraction\":0.25,\"note\":\"5 of 20 files\"}' where key = 'tock@1'");
        assertThat(system.onbeat("run", "tock@1").lines())
                .contains("progress          {\"attempt\":2,\"fraction\":0.25,\"note\":\"5 of 20 files\"}");
        // what an earlier attempt has said tells nothing of this one
        system.ledger().execute("update run set attempt = 3 where key = 'tock@1'");
        assertThat(system.onbeat("run", "tock@1", "--json").out()).contains("\"progress\":null");
    }

    @Test
    void lateness_counts_to_the_first_start() {
        threeRuns();
        system.ledger().execute("update run set attempt = 2, started_at = clock() where key = 'tock@1'");
        assertThat(system.onbeat("run", "tock@1").lines())
                .contains("late              2s", "started at        2026-07-14T09:00:00Z");
    }

    @Test
    void control_characters_of_data_do_not_reach_the_terminal() {
        system.run("tick@1", "tick", "dead");
        system.error("tick@1", "Evil", "\u001b[2Jred \u009b31m \u202eback\u0007");
        for (String[] args : new String[][] {
            {"runs"}, {"run", "tick@1"}, {"runs", "--json"}, {"run", "tick@1", "--json"}, {"dead", "list"}
        }) {
            assertThat(system.onbeat(args).out())
                    .containsIgnoringCase("\\u001b[2Jred \\u009b31m \\u202eback\\u0007")
                    .doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u202e&&[^\n]]");
        }
        assertThat(system.onbeat("run", "a\u001b[2Jb").err())
                .isEqualTo("onbeat: no run \"a\\u001b[2Jb\" in the ledger: onbeat runs lists the keys\n");
    }
}
