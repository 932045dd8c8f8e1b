package io.onbeat.schedule;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/** The settings that a schedule takes from the file's defaults where it has none of its own. */
record Settings(
        ZoneId zone,
        String queue,
        Duration timeout,
        RetryPolicy retry,
        CatchUp catchUp,
        Duration catchUpWindow,
        Duration misfireGrace,
        Optional<Overlap> overlap) {

    static final Set<String> KEYS =
            Set.of("timezone", "queue", "timeout", "retry", "catch_up", "catch_up_window", "misfire_grace", "overlap");

    static final Settings BUILT_IN = new Settings(
            ZoneId.of("UTC"),
            "default",
            Duration.ofMinutes(5),
            RetryPolicy.DEFAULT,
            CatchUp.LATEST,
            Duration.ofDays(1),
            Duration.ofSeconds(60),
            Optional.empty());

    /** What the section sets, and this for the rest. */
    Settings overriddenBy(Section section, Report report) {
        return new Settings(
                section.parsed("timezone", Zones::parse).orElse(zone),
                section.parsed("queue", name -> Names.check("queue", name)).orElse(queue),
                section.read("timeout", Settings::positive).orElse(timeout),
                section.field("retry")
                        .flatMap(field -> RetryReader.read(field.value(), retry, report))
                        .orElse(retry),
                section.word("catch_up", CatchUp.class).orElse(catchUp),
                section.duration("catch_up_window").orElse(catchUpWindow),
                section.duration("misfire_grace").orElse(misfireGrace),
                section.parsed("overlap", Settings::overlapWord)
                        .flatMap(word -> section.word("overlap", Overlap.class))
                        .or(() -> overlap));
    }

    Settings withZone(Optional<ZoneId> given) {
        return new Settings(given.orElse(zone), queue, timeout, retry, catchUp, catchUpWindow, misfireGrace, overlap);
    }

    private static String overlapWord(String text) {
        if (text.equals("queue")) {
            throw new InvalidSchedule("\"queue\" is not supported yet: use allow or skip");
        }
        return text;
    }

    /** Skipping would leave one run of all those that {@code catch_up: all} promises. */
    Overlap effectiveOverlap() {
        return overlap.orElse(catchUp == CatchUp.ALL ? Overlap.ALLOW : Overlap.SKIP);
    }

    private static Duration positive(Node node) {
        Duration duration = Section.asDuration(node);
        if (duration.isZero()) {
            throw new InvalidSchedule("\"0s\" is not allowed: give a run at least 1ms");
        }
        return duration;
    }
}
