package io.onbeat.schedule;

import java.time.Instant;
import java.util.Optional;

/** Fire times cut to {@code from} … {@code until}, both ends included. */
record WindowTimes(FireTimes inner, Optional<Instant> from, Optional<Instant> until) implements FireTimes {
    @Override
    public Optional<Instant> next(Instant after) {
        Instant start =
                from.map(first -> first.minusNanos(1)).filter(after::isBefore).orElse(after);
        return inner.next(start)
                .filter(fire -> until.filter(fire::isAfter).isEmpty())
                .flatMap(fire -> Horizon.keep(fire.getEpochSecond(), Horizon.second(after)));
    }
}
