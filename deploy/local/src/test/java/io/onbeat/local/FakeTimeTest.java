package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class FakeTimeTest {
    @TempDir
    Path folder;

    @Test
    void a_process_sees_the_time_that_was_set_last() {
        FakeTime clock = FakeTime.in(folder.resolve("offset"));
        for (Duration offset : List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1), Duration.ZERO)) {
            clock.step(offset);
            assertThat(Duration.between(Instant.now().plus(offset), now(clock)).abs())
                    .isLessThan(Duration.ofMinutes(1));
        }
    }

    private static Instant now(FakeTime clock) {
        List<String> command = new ArrayList<>(List.of("env"));
        clock.environment().forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of("date", "+%s"));
        Shell.Ended date = Shell.run(command);
        assertThat(date.ok()).as(date.output()).isTrue();
        return Instant.ofEpochSecond(Long.parseLong(date.output().strip()));
    }
}
