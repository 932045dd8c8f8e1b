package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("schedule.yaml");
    }

    @Test
    void aValidFileIsListedWithItsNextFires() throws IOException {
        Files.writeString(file, """
                schedules:
                  far: {at: "2099-12-24T18:00:00Z", task: exec}
                  past: {at: "2020-12-24T18:00:00Z", task: exec}
                  off: {every: 1m, task: http, enabled: false, queue: web}
                """);
        Cli answer = Cli.onbeat("check", file.toString());
        assertThat(answer.code()).isZero();
        assertThat(answer.err()).isEmpty();
        assertThat(answer.lines())
                .containsExactly(
                        "SCHEDULE  WHEN                     ZONE  TASK  QUEUE    NEXT FIRE",
                        "far       at 2099-12-24T18:00:00Z  UTC   exec  default  2099-12-24T18:00:00Z",
                        "off       every 1m                 UTC   http  web      disabled",
                        "past      at 2020-12-24T18:00:00Z  UTC   exec  default  finished",
                        "",
                        "3 schedules, all valid");
        assertThat(Cli.onbeat("check", "--json", file.toString()).out())
                .startsWith("{\"valid\":true,\"schedules\":[{\"schedule\":\"far\",")
                .contains("\"next_fire\":\"2099-12-24T18:00:00Z\"");
    }

    @Test
    void allProblemsAreListedAndOneLineSaysSo() throws IOException {
        Files.writeString(file, "schedules:\n  a: {crn: \"@daily\", task: t}\n  b: {every: 5x, task: t}\n");
        Cli answer = Cli.onbeat("check", file.toString());
        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.lines())
                .containsExactly(
                        file + ":2:6: schedule a: has no rule: give one of cron, every or at",
                        file + ":2:7: schedule a: unknown key \"crn\"; did you mean \"cron\"?",
                        file
                                + ":3:14: schedule b: every: \"5x\" is not a duration: write numbers with d, h, m, s or ms,"
                                + " largest first, such as 10s, 5m or 1d12h");
        assertThat(answer.err())
                .isEqualTo("onbeat: " + file + ":2:6: schedule a: has no rule: give one of cron, every or at"
                        + " (and 2 more: onbeat check lists them)\n");
        assertThat(Cli.onbeat("check", "--json", file.toString()).out())
                .startsWith("{\"valid\":false,\"problems\":[{\"file\":")
                .contains("\"line\":2,\"column\":7,\"schedule\":\"a\"");
    }

    @Test
    void oneProblemIsToldOnce() throws IOException {
        Files.writeString(file, "schedules: {a: {cron: \"61 * * * *\", task: t}}");
        Cli answer = Cli.onbeat("check", file.toString());
        assertThat(answer)
                .isEqualTo(new Cli(
                        2,
                        "",
                        "onbeat: " + file + ":1:23: schedule a: cron: cron \"61 * * * *\": minute \"61\" is out of"
                                + " range: use 0-59\n"));
    }
}
