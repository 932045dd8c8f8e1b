package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Equal steps of real elapsed time through an anchor, both in seconds. */
record EveryTimes(long period, long anchor) implements FireTimes {

    static long wholeSeconds(Duration period) {
        if (period.getNano() != 0 || period.getSeconds() < 1) {
            throw new InvalidSchedule("every \"" + Durations.format(period)
                    + "\" is not allowed: use whole seconds, at least 1s, such as 90s or 10m");
        }
        return period.getSeconds();
    }

    @Override
    public Optional<Instant> next(Instant after) {
        long start = Horizon.second(after);
        long steps = Math.floorDiv(start - anchor, period) + 1;
        return Horizon.keep(anchor + steps * period, start);
    }
}
