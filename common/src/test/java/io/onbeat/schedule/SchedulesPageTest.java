package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/schedules.md has the keys that the reader has, and what it shows is so. */
class SchedulesPageTest {
    private static final Path PAGE = Path.of(System.getProperty("onbeat.root"), "docs/schedules.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final TestFiles files;

    SchedulesPageTest(@TempDir Path directory) {
        files = new TestFiles(directory);
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("### The file", Keys.TOP),
                Arguments.of("#### `tasks`", Keys.TASK),
                Arguments.of("### A schedule", Keys.SCHEDULE),
                Arguments.of("#### `retry`", Keys.RETRY),
                Arguments.of("#### `alert`", Keys.ALERT));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void everyKeyStandsThereWithItsDefault(String heading, Keys keys) throws IOException {
        List<String> expected = keys.all().stream().map(SchedulesPageTest::row).toList();
        assertThat(rows(section(heading))).as(String.join("\n", expected)).isEqualTo(expected);
    }

    private static String row(Key key) {
        String none = key.required() ? "required" : "none";
        String otherwise = key.otherwise().map(yaml -> "`" + yaml + "`").orElse(none);
        return "| `" + key.name() + "` | " + otherwise + " | " + key.meaning() + " |";
    }

    @Test
    void whatMayStandInDefaultsIsWhatThePageSays() {
        List<String> names = Keys.SCHEDULE.all().stream().map(Key::name).toList();
        assertThat(names.subList(names.indexOf("timezone"), names.indexOf("alert") + 1))
                .isEqualTo(Keys.DEFAULTS.all().stream().map(Key::name).toList());
    }

    @Test
    void everyBlockOfYamlIsAFile() throws IOException {
        List<String> blocks = DocYaml.blocks(PAGE);
        assertThat(blocks).hasSizeGreaterThan(6);
        for (String yaml : blocks) {
            assertThat(files.load(yaml).size()).as(yaml).isPositive();
        }
    }

    @Test
    void whatOneMovesToIsASchedule() throws IOException {
        List<String> cells = Stream.of("crontab", "Celery's `beat_schedule`", "Spring's `@Scheduled`", "Quartz")
                .flatMap(from -> targets("### From " + from).stream())
                .toList();
        List<String> all = Stream.concat(cells.stream(), targets("### From a Kubernetes CronJob").stream())
                .toList();
        assertThat(all).hasSizeGreaterThan(35);
        for (String cell : all) {
            Matcher code = CODE.matcher(cell);
            if (code.find() && !code.group(1).startsWith("ONBEAT_")) {
                assertThatCode(() -> files.load(asFile(code.group(1)))).as(cell).doesNotThrowAnyException();
            }
        }
    }

    private static String asFile(String keys) {
        String rule = keys.matches(".*\\b(cron|every): .*") ? "" : ", every: 1h";
        String task = keys.contains("task: ") ? "" : ", task: t";
        return "calendars: {holidays: [2027-01-01]}\nschedules: {s: {" + keys + rule + task + "}}";
    }

    private static List<String> targets(String heading) {
        return rows(section(heading)).stream()
                .filter(row -> !row.startsWith("| there"))
                .map(row -> row.replaceFirst("^\\| .* \\| (.*) \\|$", "$1"))
                .toList();
    }

    private static List<String> rows(String section) {
        return section.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| key"))
                .toList();
    }

    private static String section(String heading) {
        try {
            String page = Files.readString(PAGE);
            int start = page.indexOf("\n" + heading + "\n");
            assertThat(start).as(heading).isPositive();
            int end = page.indexOf("\n#", start + heading.length());
            return page.substring(start, end < 0 ? page.length() : end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
