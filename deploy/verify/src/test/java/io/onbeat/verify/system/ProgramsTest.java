package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs in any language, from the schedule file to the result in the ledger. */
class ProgramsTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** Every kind of value that JSON has, and those that programs lose on their way. */
    static final String ODD = """
            {"big": 9007199254740993, "negative": -9223372036854775808, "huge": 123456789012345678901234567890,
             "looks_like": "9007199254740993", "text": "Åse 😀 \\u2028 \\\\ \\"quoted\\" $HOME `id` %s",
             "empty": "", "blank": " ", "none": null, "word": "null", "no": false, "list": [], "map": {}, "deep": [[null, {"": [""]}]]}""";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    @BeforeAll
    static void start() {
        String work = cluster.folder().toString();
        cluster.schedules("""
                defaults: {retry: {max_attempts: 1}, timeout: 2m}
                schedules:
                  odd:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: exec
                    args: {command: [sh, -c, 'tr -d "\\n" < "$ONBEAT_RUN_FILE"'], input: %s}
                  in-environment:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: exec
                    args: {command: [sh, -c, 'printf "%%s" "$ONBEAT_ARGS"'], input: %s}
                  long: {cron: "* * * * * ?", unique_by: day, task: exec, args: {command: [sh, -c, 'sleep 8; echo "[\\"$ONBEAT_ATTEMPT\\"]"']}}
                  stubborn:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: exec
                    timeout: 5s
                    args:
                      cwd: %s
                      command:
                      - sh
                      - -c
                      - |
                        trap "" TERM
                        sh -c 'trap "" TERM; echo $$ >> pids; sleep 1000; sleep 1000' &
                        (setsid sh -c 'trap "" TERM; echo $$ >> pids; (sleep 1000; sleep 1000) & wait; sleep 1000' &)
                        echo $$ >> pids; echo the last words
                        sleep 1000; sleep 1000
                """.formatted(ODD.replace("\n", " "), ODD.replace("\n", " "), work));
        cluster.startBeat();
        cluster.startWorker(Map.of("ONBEAT_ALLOWED_TASKS", "*,exec"));
    }

    private static String result(String schedule) {
        cluster.books().await(LIMIT, "select count(*) > 0 from run where schedule = ? and not open", schedule);
        assertThat(cluster.books().texts("select distinct state from run where schedule = ? and not open", schedule))
                .containsExactly("succeeded");
        return cluster.books().text("select result from run where schedule = ? order by id limit 1", schedule);
    }

    @Test
    void arguments_arrive_unchanged() throws IOException {
        JsonNode odd = new ObjectMapper().readTree(ODD);
        JsonNode told = new ObjectMapper().readTree(result("odd"));
        assertThat(told.at("/args/input")).isEqualTo(odd);
        assertThat(told.at("/args/input").toString()).isEqualTo(odd.toString());
        assertThat(told.get("run_key").asText()).startsWith("odd@");
        assertThat(new ObjectMapper().readTree(result("in-environment")).get("input"))
                .isEqualTo(odd);
    }

    @Test
    void a_program_that_outlasts_the_lease_keeps_its_run() {
        assertThat(result("long")).isEqualTo("[\"1\"]");
    }

    @Test
    void nothing_is_left_after_the_time_out_but_the_last_words() throws IOException {
        cluster.books().await(LIMIT, "select count(*) > 0 from run where schedule = 'stubborn' and state = 'dead'");
        List<String> pids = Files.readAllLines(cluster.folder().resolve("pids"));
        assertThat(pids).hasSizeGreaterThanOrEqualTo(3);
        assertThat(pids).allSatisfy(pid -> assertThat(isAlive(pid)).as(pid).isFalse());
        assertThat(cluster.books()
                        .text("select outcome || stack_trace from attempt where outcome = 'timed_out' limit 1"))
                .contains("the last words");
    }

    private static boolean isAlive(String pid) {
        Path status = Path.of("/proc", pid, "status");
        try {
            return Files.readAllLines(status).stream().noneMatch(line -> line.matches("State:\\s+Z.*"));
        } catch (IOException gone) {
            return false;
        }
    }
}
