package io.onbeat.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/guarantees.md says of every crash point what the code says. */
class GuaranteesPageTest {
    private static final Path PAGE = Path.of(System.getProperty("onbeat.root"), "docs/guarantees.md");

    @ParameterizedTest
    @EnumSource
    void everyPointStandsThereInItsOrder(CrashPoint.Role role) throws IOException {
        List<String> expected = Stream.of(CrashPoint.values())
                .filter(point -> point.role() == role)
                .map(GuaranteesPageTest::row)
                .toList();
        assertThat(rows(role)).as(String.join("\n", expected)).isEqualTo(expected);
    }

    private static String row(CrashPoint point) {
        return "| `" + String.join(" | ", point + "`", point.durable(), point.next(), point.cost()) + " |";
    }

    private static List<String> rows(CrashPoint.Role role) throws IOException {
        String heading = "### " + (role == CrashPoint.Role.BEAT ? "The beat" : "A worker") + " crashes";
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("#"))
                .filter(line -> line.startsWith("| `"))
                .toList();
    }
}
