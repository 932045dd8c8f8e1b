package io.onbeat.examples;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The name of the period that a fire time falls into, in UTC. Of the fire time, never of "now": a late run keeps its period. */
final class Period {
    private Period() {}

    static String of(String unit, Instant fireTime) {
        return switch (unit) {
            case "day" -> format("yyyy-MM-dd", fireTime);
            case "hour" -> format("yyyy-MM-dd'T'HH", fireTime);
            case "minute" -> format("yyyy-MM-dd'T'HH:mm", fireTime);
            default -> unit;
        };
    }

    private static String format(String pattern, Instant fireTime) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(fireTime.atOffset(ZoneOffset.UTC));
    }
}
