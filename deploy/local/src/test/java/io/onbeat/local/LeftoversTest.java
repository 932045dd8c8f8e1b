package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Test
    void whatIsWaitedForIsNamedFirst() throws Exception {
        Path run = Files.createDirectories(folder.resolve("run"));
        end(run);
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

        GuardedProcess left = GuardedProcess.start(new GuardedProcess.Spec(
                "worker-1",
                List.of("sleep", "600"),
                System.getenv(),
                folder.resolve("log"),
                run.resolve("worker-1.pid"),
                "TERM",
                Duration.ofSeconds(30)));
        end(run);
        assertThat(shown.toString(StandardCharsets.UTF_8))
                .endsWith("ending what a former up left behind, up to 30 s: worker-1\n");
        assertThat(left.onExit().get(60, TimeUnit.SECONDS)).isNotZero();
    }

    private void end(Path run) {
        Screen screen = new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8));
        Leftovers.end(run, Duration.ofSeconds(30), screen);
    }
}
