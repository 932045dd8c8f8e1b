package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every tenth of the pinned fire times, asked for as a user does: through the launcher, as a process. */
class NextProcessTest {
    @TempDir
    static Path folder;

    static Stream<List<String>> rows() throws IOException {
        List<String> lines = Files.readAllLines(Processes.root().resolve("common/src/test/resources/fire-times.tsv"));
        return Stream.iterate(1, row -> row < lines.size(), row -> row + 10)
                .map(row -> List.of(lines.get(row).split("\t")));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void next(List<String> row) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of(Processes.root().resolve("onbeat").toString(), "next"));
        words.addAll(rule(row.get(1), row.get(2)));
        words.addAll(List.of("--zone=" + row.get(3), "--after=" + row.get(4), "--count=" + row.get(5)));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(words)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        if (row.get(6).startsWith("error")) {
            assertThat(process.exitValue()).isEqualTo(2);
            assertThat(Files.readAllLines(err)).hasSize(1);
            assertThat(out).isEmptyFile();
        } else {
            assertThat(Files.readAllLines(out)).containsExactly(row.get(6).split(","));
            assertThat(process.exitValue()).isZero();
        }
    }

    private static List<String> rule(String kind, String expression) {
        return switch (kind) {
            case "cron" ->
                Stream.of(expression.split(" ;; "))
                        .map(cron -> "--cron=" + cron)
                        .toList();
            case "every" -> {
                String[] parts = expression.split(" from ");
                yield parts.length == 1
                        ? List.of("--every=" + parts[0])
                        : List.of("--every=" + parts[0], "--from=" + parts[1]);
            }
            default -> List.of("--at=" + expression);
        };
    }
}
