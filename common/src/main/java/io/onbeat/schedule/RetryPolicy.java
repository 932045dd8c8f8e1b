package io.onbeat.schedule;

import java.time.Duration;
import java.util.List;

/**
 * How often a run is attempted and how long it waits in between.
 *
 * @param maxAttempts failures after which the run is dead, at least 1
 * @param jitter the fraction, 0 to 1, by which a delay may be lengthened; never shortened
 */
public record RetryPolicy(int maxAttempts, Backoff backoff, double jitter) {
    public static final int MOST_ATTEMPTS = 1_000_000;
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            4, new Backoff.Ladder(List.of(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(5))), 0);

    public RetryPolicy {
        if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
            throw new InvalidSchedule("max_attempts " + maxAttempts + " is out of range: use 1 to " + MOST_ATTEMPTS);
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new InvalidSchedule("jitter " + jitter + " is out of range: use a fraction from 0 to 1");
        }
    }

    public boolean exhausted(int failures) {
        return failures >= maxAttempts;
    }

    /** The wait after the given number of failures (from 1), without jitter. */
    public Duration delay(int failures) {
        return backoff.delay(failures);
    }

    /** As {@link #delay(int)}, lengthened by its share of the jitter; {@code random} is from 0 (inclusive) to 1. */
    public Duration delay(int failures, double random) {
        Duration delay = delay(failures);
        return jitter == 0 ? delay : delay.plusMillis((long) (delay.toMillis() * jitter * random));
    }

    public String toJson() {
        return Json.write(json -> SpecWriter.retry(json, this));
    }

    /** @throws InvalidSchedule when the text is not a retry policy */
    public static RetryPolicy fromJson(String json) {
        return SpecReader.strict(json, (node, report) -> RetryReader.read(node, DEFAULT, report));
    }
}
