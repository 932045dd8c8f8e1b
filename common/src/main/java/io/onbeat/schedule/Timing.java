package io.onbeat.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** All that decides when a schedule fires. Two timings are equal when they were written the same. */
public record Timing(
        Rule rule, ZoneId zone, Optional<Instant> from, Optional<Instant> until, boolean enabled, FireTimes fireTimes) {

    /** @throws InvalidSchedule when the rule can never fire, or the end lies before the start */
    public static Timing of(Rule rule, ZoneId zone, Optional<Instant> from, Optional<Instant> until, boolean enabled) {
        if (from.isPresent() && until.isPresent() && until.get().isBefore(from.get())) {
            throw new InvalidSchedule("until " + until.get() + " is before from " + from.get() + ": swap or mend them");
        }
        return new Timing(
                rule, zone, from, until, enabled, fireTimes(rule, zone, from).within(windowStart(rule, from), until));
    }

    private static FireTimes fireTimes(Rule rule, ZoneId zone, Optional<Instant> from) {
        if (rule instanceof Rule.Cron cron) {
            return FireTimes.cron(cron.expressions(), zone);
        }
        if (rule instanceof Rule.Every every) {
            return from.map(anchor -> FireTimes.every(every.period(), anchor))
                    .orElseGet(() -> FireTimes.every(every.period()));
        }
        return FireTimes.at(((Rule.At) rule).instant());
    }

    /** An interval starts at its anchor by itself. */
    private static Optional<Instant> windowStart(Rule rule, Optional<Instant> from) {
        return rule instanceof Rule.Every ? Optional.empty() : from;
    }
}
