package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The drawings of docs/schedules.md show when a rule really fires: ten characters are an hour. */
class ClockChangeDrawingsTest {
    private static final Path PAGE = Path.of(System.getProperty("onbeat.root"), "docs/schedules.md");
    private static final Pattern DRAWING =
            Pattern.compile("```text\\n(\\S+/\\S+) +([0-9: ]+)\\nUTC, (\\S+) +([0-9: ]+)\\n((?:.+\\n)+?)```");
    private static final int AXIS = 18;
    private static final Duration COLUMN = Duration.ofMinutes(6);

    @Test
    void everyDrawingIsTrue() throws IOException {
        Matcher drawing = DRAWING.matcher(Files.readString(PAGE));
        int drawings = 0;
        while (drawing.find()) {
            ZoneId zone = ZoneId.of(drawing.group(1));
            String[] local = drawing.group(2).strip().split(" +");
            String[] utc = drawing.group(4).strip().split(" +");
            Instant start = Instant.parse(drawing.group(3) + "T" + utc[0] + ":00Z");
            for (int hour = 0; hour < utc.length; hour++) {
                Instant tick = start.plus(Duration.ofHours(hour));
                assertThat(tick.toString()).contains("T" + utc[hour]);
                assertThat(tick.atZone(zone).toLocalTime()).isEqualTo(LocalTime.parse(local[hour]));
            }
            drawing.group(5)
                    .lines()
                    .forEach(row -> assertThat(drawn(row, start, utc.length))
                            .as(row)
                            .isEqualTo(fires(row.substring(0, AXIS).strip(), zone, start, utc.length)));
            drawings++;
        }
        assertThat(drawings).isEqualTo(2);
    }

    private static List<Instant> drawn(String row, Instant start, int hours) {
        List<Instant> drawn = new ArrayList<>();
        for (int i = AXIS; i < Math.min(row.length(), AXIS + 10 * hours - 1); i++) {
            if (row.charAt(i) == 'x' && row.charAt(i - 1) == ' ') {
                drawn.add(start.plus(COLUMN.multipliedBy(i - AXIS)));
            }
        }
        return drawn;
    }

    private static List<Instant> fires(String rule, ZoneId zone, Instant start, int hours) {
        FireTimes times = rule.startsWith("every ")
                ? FireTimes.every(Durations.parse(rule.substring(6)))
                : FireTimes.cron(List.of(rule), zone);
        Instant end = start.plus(Duration.ofHours(hours));
        List<Instant> fires = new ArrayList<>();
        Optional<Instant> fire = times.next(start.minusSeconds(1));
        while (fire.isPresent() && fire.get().isBefore(end)) {
            fires.add(fire.get());
            fire = times.next(fire.get());
        }
        return fires;
    }
}
