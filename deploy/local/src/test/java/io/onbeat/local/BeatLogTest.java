package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BeatLogTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @Test
    void tellsOnceWhatBecameOfTheScheduleFile() throws Exception {
        Path log = folder.resolve("beat.log");
        BeatLog follower = new BeatLog(log, new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8)));
        follower.run();
        assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();

        append(log, "2026-07-14T18:00:00.000Z INFO  [fire] FireLoop: 3 schedules in force, 2 of them fire\n");
        append(log, "2026-07-14T18:00:00.000Z INFO  [fire] FireLoop: something else\n");
        follower.run();
        append(log, "2026-07-14T18:00:01.000Z ERROR [watch] ScheduleWatcher: /s.yaml is not taken over,");
        follower.run();
        append(log, " the last good schedules stay in force:\n");
        follower.run();
        append(log, "/s.yaml:3:5: cron \u001b[2J\n/s.yaml:4:5: another\n");
        follower.run();
        follower.run();

        assertThat(shown.toString(StandardCharsets.UTF_8).lines().map(line -> line.substring(10)))
                .containsExactly(
                        "3 schedules in force, 2 of them fire",
                        "/s.yaml is not taken over, the last good schedules stay in force: /s.yaml:3:5: cron \\u001b[2J");
    }

    private static void append(Path log, String text) throws Exception {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
