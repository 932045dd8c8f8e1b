package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A schedule file with a mistake: the beat says which, the last good set stays in force, and the mended file is taken over. */
class BadScheduleTest {
    private static final String GOOD = """
            schedules:
              tick: {every: 1s, task: noop, overlap: allow}
            """;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private static Node beat;

    private final Books books = cluster.books();

    @BeforeAll
    static void start() {
        cluster.schedules(GOOD);
        beat = cluster.startBeat();
        cluster.books().await("select count(*) > 0 from run");
    }

    @Test
    void yamlThatDoesNotParse() {
        refusedAndMended(
                "parse",
                "schedules:\n  tick: {every: 1s, task: noop\n  other: [",
                "schedule.yaml:3:8",
                "not valid YAML");
    }

    @Test
    void aKeyThatNobodyKnows() {
        refusedAndMended(
                "key",
                GOOD.replace("overlap:", "overlop:"),
                "schedule.yaml:2:33",
                "schedule tick",
                "\"overlop\"; did you mean \"overlap\"?");
    }

    @Test
    void aZoneThatDoesNotExist() {
        refusedAndMended(
                "zone",
                GOOD.replace("every: 1s", "cron: \"0 2 * * *\", timezone: Asia/Shangai"),
                "schedule.yaml:2:39",
                "\"Asia/Shangai\" does not exist",
                "did you mean \"Asia/Shanghai\"?");
    }

    @Test
    void argsOfMoreThanAMegabyte() {
        refusedAndMended(
                "args",
                GOOD.replace("task: noop", "task: noop, args: {text: " + "x".repeat(1 << 20) + "}"),
                "schedule tick",
                "args",
                "1 MB");
    }

    private void refusedAndMended(String name, String bad, String... said) {
        int before = beat.logLines("is not taken over").size();
        cluster.schedules(bad);
        org.awaitility.Awaitility.await()
                .until(() -> beat.logLines("is not taken over").size() == before + 1);
        String log = beat.log();
        assertThat(log.substring(log.lastIndexOf("is not taken over")))
                .contains(said)
                .hasSizeLessThan(5_000);
        CommandLine.Answer check = cluster.onbeat(
                "check", cluster.folder().resolve("schedule.yaml").toString());
        assertThat(check.exitCode()).isEqualTo(2);
        assertThat(check.out() + check.err()).contains(said).hasSizeLessThan(5_000);

        String last = books.text("select max(fire_at) from run where schedule = 'tick'");
        books.await("select max(fire_at) > ?::timestamptz from run where schedule = 'tick'", last);
        cluster.schedules(GOOD + "  after-" + name + ": {every: 1s, task: noop, overlap: allow}\n");
        books.await("select count(*) > 0 from run where schedule = ?", "after-" + name);
        assertThat(beat.isAlive()).isTrue();
    }
}
