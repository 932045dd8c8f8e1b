package io.onbeat.schedule;

import java.time.Instant;
import java.util.Optional;

/** One single fire time. */
record AtTime(Instant instant) implements FireTimes {
    @Override
    public Optional<Instant> next(Instant after) {
        return instant.isAfter(after)
                ? Horizon.keep(instant.getEpochSecond(), Horizon.second(after))
                : Optional.empty();
    }
}
