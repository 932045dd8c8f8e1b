package io.onbeat.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process crashes or stands still where it was told to, and nowhere else. */
class CrashPointTest {
    /** Passes FIRED three times, once on the way JUDGED. */
    static final class Passing {
        public static void main(String[] args) {
            CrashPoint.wrongWish().ifPresent(wrong -> {
                System.out.println(wrong);
                System.exit(2);
            });
            CrashPoint.JUDGED.pass();
            for (int passing = 1; passing <= 3; passing++) {
                CrashPoint.FIRED.pass();
                System.out.println("passed " + passing);
            }
        }
    }

    private record Ended(int exitCode, List<String> lines) {}

    @TempDir
    private Path folder;

    @Test
    void without_a_wish_nothing_happens() throws Exception {
        Ended ended = run();
        assertThat(ended.exitCode).isZero();
        assertThat(ended.lines).contains("passed 1", "passed 2", "passed 3");
    }

    @Test
    void it_crashes_at_the_first_passing() throws Exception {
        Ended ended = run("-Donbeat.crash-at=FIRED");
        assertThat(ended.exitCode).isEqualTo(137);
        assertThat(ended.lines).doesNotContain("passed 1");
    }

    @Test
    void it_crashes_at_the_passing_that_was_asked_for() throws Exception {
        Ended ended = run("-Donbeat.crash-at=FIRED#3");
        assertThat(ended.exitCode).isEqualTo(137);
        assertThat(ended.lines).contains("passed 2").doesNotContain("passed 3");
    }

    @Test
    void it_stands_still_until_the_file_is_gone() throws Exception {
        Path file = Files.createFile(folder.resolve("frozen"));
        Process process = start("-Donbeat.freeze-at=FIRED#2", "-Donbeat.freeze-while=" + file);
        assertThat(process.waitFor(1, TimeUnit.SECONDS)).isFalse();
        Files.delete(file);
        Ended ended = end(process);
        assertThat(ended.exitCode).isZero();
        assertThat(ended.lines).contains("passed 3");
    }

    @Test
    void a_wrong_name_ends_the_start_and_quotes_it() throws Exception {
        for (String wrong : List.of("FIERD", "FIRED#0", "FIRED#x", "")) {
            Ended ended = run("-Donbeat.crash-at=" + wrong);
            assertThat(ended.exitCode).as(wrong).isEqualTo(2);
            assertThat(String.join("\n", ended.lines))
                    .contains("-Donbeat.crash-at=" + wrong)
                    .contains("FIRED");
        }
    }

    @Test
    void to_crash_and_to_freeze_exclude_each_other() throws Exception {
        assertThat(run("-Donbeat.crash-at=FIRED", "-Donbeat.freeze-at=FIRED").exitCode)
                .isEqualTo(2);
    }

    private Ended run(String... options) throws IOException, InterruptedException {
        return end(start(options));
    }

    private Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        command.addAll(Stream.of(options).toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Passing.class.getName()));
        File out = folder.resolve("out").toFile();
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out)
                .start();
    }

    private Ended end(Process process) throws IOException, InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readAllLines(folder.resolve("out"), StandardCharsets.UTF_8));
    }
}
