package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedClassesTest {
    @Test
    void a_check_of_a_file_loads_no_database(@TempDir Path directory) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("s.yaml"), "schedules: {a: {every: 1h, task: t}}");
        Process process = new ProcessBuilder(List.of(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OnbeatCli.class.getName(),
                        "check",
                        file.toString()))
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(out)
                .contains("io.onbeat.schedule.ScheduleFile", "1 schedule, all valid")
                .doesNotContain(
                        "com.zaxxer.hikari.", "org.postgresql.", "org.flywaydb.", "io.onbeat.beat.cli.AtLedger");
    }
}
