package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnbeatCliTest {
    private static final List<String> LEDGER_WORDS = List.of(
            "runs", "schedules", "workers", "queues", "dead list", "run K", "cancel K", "trigger T", "dead replay K");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "beat",
                "check",
                "schema",
                "next",
                "schedules",
                "runs",
                "run",
                "trigger",
                "cancel",
                "dead",
                "dead list",
                "dead replay",
                "dead discard",
                "workers",
                "queues"
            })
    void every_command_has_help_with_an_example_and_its_exit_codes(String word) {
        Cli answer = Cli.onbeat((word + " --help").strip().split(" "));
        assertThat(answer.code()).isZero();
        assertThat(answer.err()).isEmpty();
        assertThat(answer.out()).contains("Exit codes:").containsPattern("Examples?:\n  .*onbeat ");
    }

    @Test
    void a_wrong_word_is_told_in_one_line() {
        assertThat(Cli.onbeat("workrs"))
                .isEqualTo(new Cli(
                        2, "", "onbeat: unknown word \"workrs\"; did you mean \"workers\"?; see onbeat --help\n"));
        assertThat(Cli.onbeat("dead"))
                .isEqualTo(new Cli(2, "", "onbeat: give a command: list, replay, discard; see onbeat dead --help\n"));
        assertThat(Cli.onbeat("dead", "relay").err()).contains("did you mean \"replay\"?");
        assertThat(Cli.onbeat().code()).isEqualTo(2);
    }

    @Test
    void wrong_settings_are_named_together_in_one_line() {
        Map<String, String> wrong = Map.of("ONBEAT_DATABASE_URL", "jdbc:mysql:x", "ONBEAT_AMQP_URL", "rabbit");
        for (String words : LEDGER_WORDS) {
            assertThat(Cli.in(wrong, words.split(" ")))
                    .isEqualTo(new Cli(
                            2,
                            "",
                            "onbeat: ONBEAT_DATABASE_URL 'jdbc:mysql:x' does not start with jdbc:postgresql:;"
                                    + " ONBEAT_AMQP_URL 'rabbit' is not like amqp://host:5672/vhost\n"));
        }
    }

    @Test
    void a_setting_that_is_none_is_named() {
        assertThat(Cli.in(Map.of("ONBEAT_DATABASE_ULR", "jdbc:postgresql:x"), "runs"))
                .isEqualTo(new Cli(
                        2, "", "onbeat: ONBEAT_DATABASE_ULR is no setting; did you mean \"ONBEAT_DATABASE_URL\"?\n"));
    }

    @Test
    void a_database_without_a_ledger_says_so() {
        Database database = TestServices.freshDatabase();
        Map<String, String> environment = Map.of(
                "ONBEAT_DATABASE_URL", database.jdbcUrl(),
                "ONBEAT_DATABASE_USER", database.user(),
                "ONBEAT_DATABASE_PASSWORD", database.password());
        for (String words : LEDGER_WORDS) {
            assertThat(Cli.in(environment, words.split(" ")))
                    .isEqualTo(
                            new Cli(
                                    1,
                                    "",
                                    "onbeat: there is no ledger at " + database.jdbcUrl() + " (schema onbeat, user "
                                            + database.user()
                                            + "): start a beat, which creates it, or set ONBEAT_NAMESPACE and ONBEAT_DATABASE_URL\n"));
        }
        TestServices.dropDatabase(database);
    }

    @Test
    void a_wrong_password_is_told_as_such() {
        Map<String, String> environment = Map.of(
                "ONBEAT_DATABASE_URL", TestServices.postgres().jdbcUrl("postgres"),
                "ONBEAT_DATABASE_USER", "onbeat_nobody",
                "ONBEAT_DATABASE_PASSWORD", "wrong");
        Cli answer = Cli.in(environment, "runs");
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err())
                .hasLineCount(1)
                .contains("refuses this user: FATAL: ", "; set ONBEAT_DATABASE_USER and ONBEAT_DATABASE_PASSWORD");
    }

    @Test
    void a_process_prints_its_answer_and_nothing_else() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                OnbeatCli.class.getName(),
                "runs"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("ONBEAT_DATABASE_URL", "jdbc:postgresql://127.0.0.1:1/onbeat");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(new Cli(process.exitValue(), out, err))
                .isEqualTo(new Cli(
                        1,
                        "",
                        "onbeat: cannot reach the ledger at jdbc:postgresql://127.0.0.1:1/onbeat (schema onbeat, user onbeat):"
                                + " Connection to 127.0.0.1:1 refused; start it, or set ONBEAT_DATABASE_URL\n"));
    }
}
