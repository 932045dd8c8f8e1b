package io.onbeat.schedule;

import java.time.Duration;
import java.util.List;

/** How long a failed run waits for its next attempt. */
public sealed interface Backoff {

    /** The wait after the given number of failures, which counts from 1. */
    Duration delay(int failures);

    /** The delays in turn; the last one repeats. */
    record Ladder(List<Duration> delays) implements Backoff {
        public Ladder {
            delays = List.copyOf(delays);
            if (delays.isEmpty()) {
                throw new InvalidSchedule("delays is empty: give at least one, such as [10s, 1m, 5m]");
            }
        }

        @Override
        public Duration delay(int failures) {
            return delays.get(Math.max(0, Math.min(failures, delays.size()) - 1));
        }
    }

    /** {@code initial × factor^failures}, at most {@code max}: with a factor of 2 from 1 s it waits 2, 4, 8 … seconds. */
    record Exponential(Duration initial, double factor, Duration max) implements Backoff {
        static final int MOST_FACTOR = 1000;

        public Exponential {
            if (!(factor >= 1 && factor <= MOST_FACTOR)) {
                throw new InvalidSchedule("factor " + factor + " is out of range: use 1 to " + MOST_FACTOR);
            }
            if (initial.compareTo(max) > 0) {
                throw new InvalidSchedule("initial " + Durations.format(initial) + " is above max "
                        + Durations.format(max) + ": raise max or lower initial");
            }
        }

        @Override
        public Duration delay(int failures) {
            double millis = initial.toMillis() * Math.pow(factor, Math.max(1, failures));
            // 0 × infinity is not a number, and an initial delay of zero stays zero
            return initial.isZero() || millis < max.toMillis() ? Duration.ofMillis((long) millis) : max;
        }
    }
}
