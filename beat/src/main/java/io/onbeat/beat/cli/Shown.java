package io.onbeat.beat.cli;

import io.onbeat.schedule.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Times as a table has room for. */
final class Shown {
    private Shown() {}

    static String second(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static Optional<String> second(Optional<Instant> instant) {
        return instant.map(Shown::second);
    }

    /** The two largest units that tell something: {@code 2d3h}, {@code 4m10s}, {@code 3s250ms}. */
    static String duration(Duration duration) {
        Duration size = duration.abs();
        ChronoUnit smallest = ChronoUnit.MILLIS;
        if (size.toDays() > 0) {
            smallest = ChronoUnit.HOURS;
        } else if (size.toHours() > 0) {
            smallest = ChronoUnit.MINUTES;
        } else if (size.toMinutes() > 0) {
            smallest = ChronoUnit.SECONDS;
        }
        return Durations.format(duration.truncatedTo(smallest));
    }
}
