package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NextCommandTest {
    private static final Path TABLE =
            Path.of(System.getProperty("onbeat.root"), "common/src/test/resources/fire-times.tsv");

    static Stream<String[]> cases() throws IOException {
        return Files.readAllLines(TABLE).stream().skip(1).map(row -> row.split("\t", -1));
    }

    @ParameterizedTest(name = "{0} [{2}]")
    @MethodSource("cases")
    void everyPinnedCaseHolds(
            String id,
            String kind,
            String expr,
            String zone,
            String after,
            String count,
            String expected,
            String note) {
        Cli answer = Cli.onbeat(words(kind, expr, zone, after, count));
        if (expected.startsWith("error")) {
            assertThat(answer.code()).isEqualTo(2);
            assertThat(answer.out()).isEmpty();
            assertThat(answer.err().lines()).hasSize(1);
            assertThat(answer.err().contains("never fires")).isEqualTo(expected.endsWith("never"));
        } else {
            assertThat(String.join(",", answer.lines())).isEqualTo(expected);
            assertThat(answer.code()).isZero();
            assertThat(answer.err()).isEmpty();
        }
    }

    private static List<String> words(String kind, String expr, String zone, String after, String count) {
        List<String> words = new ArrayList<>(List.of("next"));
        for (String part : expr.split(" ;; ")) {
            String[] anchored = part.split(" from ");
            // both ways to give a value: as a word of its own, and behind '='
            words.addAll(kind.equals("cron") ? List.of("--cron=" + part) : List.of("--" + kind, anchored[0]));
            if (anchored.length == 2) {
                words.addAll(List.of("--from", anchored[1]));
            }
        }
        words.addAll(List.of("--zone", zone, "--after", after, "--count", count));
        return words;
    }

    @Test
    void anAliasIsNotAnArgumentFileAndANegativeDurationIsNoOption() {
        assertThat(Cli.onbeat("next", "--cron", "@hourly", "--after", "2026-01-01T00:30:00Z", "--count", "1")
                        .lines())
                .containsExactly("2026-01-01T01:00:00Z");
        assertThat(Cli.onbeat("next", "--every", "-5m").err())
                .isEqualTo("onbeat: --every: \"-5m\" is negative: write numbers with d, h, m, s or ms, largest first,"
                        + " such as 10s, 5m or 1d12h\n");
    }

    @Test
    void scriptsGetAJsonArray() {
        assertThat(Cli.onbeat("next", "--at", "2026-12-24T18:00:00+01:00", "--after", "2026-01-01T00:00:00Z", "--json")
                        .out())
                .isEqualTo("[\"2026-12-24T17:00:00Z\"]\n");
    }

    @Test
    void aScheduleOfAFileIsFoundByItsName(@TempDir Path directory) throws IOException {
        String file = Files.writeString(
                        directory.resolve("s.yaml"),
                        "timezone: Asia/Shanghai\nschedules: {daily-report: {cron: \"0 2 * * *\", task: t}}")
                .toString();
        assertThat(Cli.onbeat(
                                "next",
                                "daily-report",
                                "--schedules",
                                file,
                                "--after",
                                "2026-07-14T00:00:00Z",
                                "--count",
                                "2")
                        .lines())
                .containsExactly("2026-07-14T18:00:00Z", "2026-07-15T18:00:00Z");
        assertThat(Cli.onbeat("next", "daily-raport", "--schedules", file))
                .isEqualTo(new Cli(
                        2,
                        "",
                        "onbeat: no schedule \"daily-raport\" in " + file + "; did you mean \"daily-report\"?\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "next|give one of NAME with --schedules, --cron, --every or --at",
                "next --every 1m --at 2026-01-01T00:00:00Z|give only one of",
                "next --every 1m --zone Asia/Shanghi|did you mean \"Asia/Shanghai\"",
                "next --every 1m --after tomorrow|--after: \"tomorrow\" is not an instant",
                "next --every 1m --count 0|--count: 0 is out of range",
                "next --every 1m --count many|--count",
                "next --at 2026-01-01T00:00:00Z --from 2026-01-01T00:00:00Z|--from goes with --every",
                "next --evry 1m|unknown option \"--evry\"; did you mean \"--every\"",
                "next a b --schedules x|unknown word \"b\"",
                "next a|NAME and --schedules go together",
                "next a --schedules /none.yaml|/none.yaml: does not exist",
                "next --cron|--cron",
                "next --cron=|is empty",
                "chek x|unknown word \"chek\"; did you mean \"check\"",
                "--wrong|unknown option \"--wrong\"",
                "^^|give a command",
                "check|FILE",
                "check /none.yaml|does not exist"
            })
    void whateverIsWrongIsOneLineThatSaysWhatToDo(String line, String message) {
        Cli answer = Cli.onbeat(line.isEmpty() ? List.of() : List.of(line.split(" ")));
        assertThat(answer.code()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err().lines())
                .singleElement()
                .asString()
                .startsWith("onbeat: ")
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource({"--help", "next --help", "check --help", "next -h"})
    void helpIsEverywhereWithAnExample(String line) {
        Cli answer = Cli.onbeat(List.of(line.split(" ")));
        assertThat(answer.code()).isZero();
        assertThat(answer.out()).contains("Usage: onbeat").contains("Example");
        assertThat(answer.err()).isEmpty();
    }
}
