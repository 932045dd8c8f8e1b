package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleFileTest {
    private static final String NAMES = " use 1 to 100 of A-Z a-z 0-9 . _ -, the first one a letter or digit";

    @TempDir
    Path directory;

    @Test
    void defaultsReachEverySchedule() throws IOException {
        ScheduleSet set = ScheduleFile.load(file("schedules.yaml", """
                schedules:
                  settle-points:
                    cron: "0 2 * * *"
                    task: settle-points
                    args: {batch: 500, big: 123456789012345678901, name: "größe", none: null, list: [1.50, 0x1F, yes]}
                    retry: {max_attempts: 2}
                  sync: {every: 10m, task: http, queue: web, timezone: UTC, timeout: 30s}
                  launch: {at: "2026-12-24T18:00:00+01:00", task: exec}
                  both: {cron: ["@daily", "0 30 9 ? * MON"], task: t, catch_up: all}
                timezone: Asia/Shanghai
                defaults: {queue: night, timeout: 1h, retry: {max_attempts: 9, delays: [1s]}, catch_up: none}
                """));
        assertThat(set.all()).extracting(Schedule::name).containsExactly("both", "launch", "settle-points", "sync");
        Schedule settle = set.find("settle-points").orElseThrow();
        assertThat(settle.zone().getId()).isEqualTo("Asia/Shanghai");
        assertThat(settle.queue()).isEqualTo("night");
        assertThat(settle.retry()).isEqualTo(new RetryPolicy(2, new Backoff.Ladder(List.of(Duration.ofSeconds(1))), 0));
        assertThat(settle.policy().catchUp()).isEqualTo(CatchUp.NONE);
        assertThat(settle.args())
                .isEqualTo("{\"batch\":500,\"big\":123456789012345678901,\"name\":\"größe\",\"none\":null,"
                        + "\"list\":[1.50,31,\"yes\"]}");
        assertThat(set.find("sync").orElseThrow().queue()).isEqualTo("web");
        assertThat(set.find("both").orElseThrow().policy().overlap()).isEqualTo(Overlap.QUEUE);
    }

    @Test
    void anchorsAndMergeKeysWork() throws IOException {
        ScheduleSet set = ScheduleFile.load(file("anchors.yaml", """
                schedules:
                  a: &common {every: 1m, task: t, args: {x: 1}}
                  b: {<<: *common, every: 2m}
                  c: *common
                """));
        assertThat(set.find("b").orElseThrow().args()).isEqualTo("{\"x\":1}");
        assertThat(set.find("b").orElseThrow().timing().rule()).isEqualTo(new Rule.Every(Duration.ofMinutes(2)));
        assertThat(set.find("c").orElseThrow().timing())
                .isEqualTo(set.find("a").orElseThrow().timing());
    }

    @Test
    void allProblemsAreToldAtOnceEachWithItsPlace() throws IOException {
        Path file = file("bad.yaml", """
                timezone: Asia/Shanghi
                defaults: {que: x}
                scheduls: {}
                schedules:
                  one: {crom: "* * * * *", task: t}
                  two: {cron: "* * * * *", every: 1m, task: t}
                  three: {cron: ["0 0 * * *", "61 * * * *"], task: t, timeout: 30}
                  four: {cron: "0 0 31 2 *", task: "a b"}
                  five: {every: 1m, task: t, overlap: wait, catch_up: lates, enabled: maybe}
                  six: {every: 1m, args: [1], tags: x, except: [holidays]}
                  six: {every: 1m, task: t}
                  bad name: {every: 1m, task: t}
                  seven: {every: 1m, task: t, task: u, args: {a: 1, a: 2}}
                  eight: [1]
                  nine: {at: "2026-02-30T00:00:00Z", task: t, from: "2026-01-01T00:00:00Z", queue: }
                  ten: {every: 1m, task: t, retry: {delays: [1s, x], max_attempts: many}, timezone: shanghai}
                """);
        assertThat(problems(file))
                .containsExactly(
                        "1:11: timezone: zone \"Asia/Shanghi\" does not exist: use one such as UTC or Asia/Shanghai;"
                                + " did you mean \"Asia/Shanghai\"?",
                        "2:12: unknown key \"que\"; did you mean \"queue\"?",
                        "3:1: unknown key \"scheduls\"; did you mean \"schedules\"?",
                        "5:8: schedule one: has no rule: give one of cron, every or at",
                        "5:9: schedule one: unknown key \"crom\"; did you mean \"cron\"?",
                        "6:8: schedule two: has cron and every: give only one of them",
                        "7:31: schedule three: cron: cron \"61 * * * *\": minute \"61\" is out of range: use 0-59",
                        "7:64: schedule three: timeout: 30 has no unit: write 30s for seconds",
                        "8:16: schedule four: cron: cron \"0 0 31 2 *\" never fires: no date matches it;"
                                + " check day, month, weekday and year against each other",
                        "8:36: schedule four: task: task \"a b\" is not a valid name:" + NAMES,
                        "9:39: schedule five: overlap: \"wait\" is not one of allow, skip, queue",
                        "9:55: schedule five: catch_up: \"lates\" is not one of none, latest, all; did you mean \"latest\"?",
                        "9:71: schedule five: enabled: \"maybe\" is not true or false",
                        "10:8: schedule six: has no task: give the name of the code to run, such as task: http",
                        "10:26: schedule six: args: a list is not a map: write {key: value}",
                        "10:37: schedule six: tags: \"x\" is not a list: write [a, b]",
                        "10:49: schedule six: except: no calendar \"holidays\": write calendars: {NAME: [2027-01-01]} and its name here",
                        "11:3: schedule six: duplicate name: " + file + ":10 has it already",
                        "12:3: schedule bad name: schedule \"bad name\" is not a valid name:" + NAMES,
                        "13:31: schedule seven: duplicate key \"task\": it is given in line 13 already",
                        "13:53: schedule seven: args: duplicate key \"a\": it is given in line 13 already",
                        "14:10: schedule eight: a list is not a map: write {cron: \"0 2 * * *\", task: NAME}",
                        "15:14: schedule nine: at: \"2026-02-30T00:00:00Z\" is not an instant: write a date that exists,"
                                + " the time and Z or an offset, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00",
                        "15:53: schedule nine: from: has no meaning beside at: remove it",
                        "15:83: schedule nine: queue: an empty value is not text: give a text, in quotes where it looks like a number",
                        "16:50: schedule ten: delays: \"x\" is not a duration: write numbers with d, h, m, s or ms,"
                                + " largest first, such as 10s, 5m or 1d12h",
                        "16:68: schedule ten: max_attempts: \"many\" is not a whole number of at most 9 digits",
                        "16:85: schedule ten: timezone: zone \"shanghai\" does not exist: use one such as UTC or Asia/Shanghai;"
                                + " did you mean \"Asia/Shanghai\"?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{'|1:2: is not valid YAML",
                "schedules: {a: {cron: * * * * *}}|quotes",
                "schedules: {a: {cron: @daily}}|quotes",
                "schedules: {a: {cron: *x, task: t}}|alias *x has no anchor",
                "'a: \tb\n\tc: d'|is not valid YAML",
                "''|is empty",
                "'# nothing'|is empty",
                "'[]'|is not a map",
                "'schedules:'|schedules: an empty value is not a map",
                "'timezone: UTC'|has no schedules",
                "'schedules: {}\n---\nschedules: {}'|second document",
                "schedules: {a: &a {every: 1m, task: t, args: {x: *a}}}|has no anchor",
                "schedules: {a: {every: 1m, task: t, args: {x: .nan}}}|JSON has no infinity",
                "'schedules: {a: {every: 1m, task: t, x: !!binary aGk=}}'|not allowed",
                "schedules: {a: {every: 1m, task: t, description: 5}}|5 is not text",
                "schedules: {a: {every: 1m, task: }}|task: an empty value is not text",
                "schedules: {a: {cron: [], task: t}}|cron is empty",
                "schedules: {a: {at: 2026-01-01, task: t}}|is not an instant",
                "schedules: {a: {every: 1500ms, task: t}}|use whole seconds"
            })
    void whateverIsWrongIsOneClearLine(String yaml, String message) throws IOException {
        Path file = file("wrong.yaml", yaml);
        assertThat(problems(file)).anySatisfy(problem -> assertThat(problem).contains(message));
        assertThat(problems(file)).noneMatch(problem -> problem.contains("\n"));
    }

    @Test
    void anAliasBombIsRefusedQuickly() throws IOException {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(10)));
        }
        assertThat(problems(file("bomb.yaml", bomb.toString())))
                .singleElement()
                .asString()
                .contains("aliases expand");
    }

    @Test
    void argsOverOneMegabyteAreRefused() throws IOException {
        String yaml = "schedules: {a: {every: 1m, task: t, args: {x: \"%s\"}}}";
        assertThat(ScheduleFile.load(file("fits.yaml", yaml.formatted("x".repeat(1_000_000))))
                        .size())
                .isEqualTo(1);
        assertThat(problems(file("large.yaml", yaml.formatted("ü".repeat(600_000)))))
                .singleElement()
                .asString()
                .contains("args: over 1 MB");
    }

    @Test
    void aNameIsGivenOnceInAllFilesOfADirectory() throws IOException {
        file("a.yaml", "schedules: {same: {every: 1m, task: t}, other: {every: 1m, task: t}}");
        file("b.yml", "schedules:\n  same: {every: 2m, task: t}");
        file("notes.txt", "not yaml: [");
        file(".hidden.yaml", "not yaml: [");
        assertThat(problems(directory))
                .containsExactly(
                        "2:3: schedule same: duplicate name: " + directory.resolve("a.yaml") + ":1 has it already");
        Files.delete(directory.resolve("b.yml"));
        assertThat(ScheduleFile.load(directory).size()).isEqualTo(2);
    }

    @Test
    void aMissingFileAnEmptyDirectoryAndBytesThatAreNoTextAreNamed() throws IOException {
        assertThat(errors(directory.resolve("none.yaml"))).hasMessageContaining("none.yaml: does not exist");
        assertThat(errors(directory)).hasMessageContaining("has no .yaml or .yml file");
        Path latin = Files.write(directory.resolve("latin.yaml"), "a: größe".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(errors(latin)).hasMessageContaining("is not UTF-8");
        Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {0, 1, 2});
        assertThat(errors(binary)).hasMessageContaining("is not valid YAML");
    }

    @Test
    void aHundredThousandSchedulesLoadInSeconds() throws IOException {
        StringBuilder yaml = new StringBuilder("schedules:\n");
        for (int i = 0; i < 100_000; i++) {
            yaml.append("  schedule-").append(i).append(":\n    cron: \"").append(i % 60);
            yaml.append(" 2 * * *\"\n    task: settle\n    args: {batch: ")
                    .append(i)
                    .append(", name: x}\n    timezone: Asia/Shanghai\n");
        }
        Path file = file("many.yaml", yaml.toString());
        // the thread's own time, so that a busy machine does not count
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(ScheduleFile.load(file).size()).isEqualTo(100_000);
        long spent = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        assertThat(Duration.ofNanos(spent)).isLessThan(Duration.ofSeconds(20));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** The problems without the path in front. */
    private static List<String> problems(Path path) {
        return errors(path).problems().stream()
                .map(problem -> problem.toString()
                        .substring(problem.file().length() + 1)
                        .strip())
                .toList();
    }

    private static ScheduleErrors errors(Path path) {
        return catchThrowableOfType(ScheduleErrors.class, () -> ScheduleFile.load(path));
    }
}
