package io.onbeat.schedule;

import java.time.Duration;
import java.util.Optional;

/**
 * When people are to be told about a schedule.
 *
 * @param lateAfter a run has not started this long after it was due
 * @param failures so many failures came one after the other, at least 1
 */
public record Alert(Optional<Duration> lateAfter, Optional<Integer> failures) {
    public static final Alert NONE = new Alert(Optional.empty(), Optional.empty());
    static final int MOST_FAILURES = 1_000_000;

    public Alert {
        failures.filter(count -> count < 1 || count > MOST_FAILURES).ifPresent(count -> {
            throw new InvalidSchedule("failures " + count + " is out of range: use 1 to " + MOST_FAILURES);
        });
    }

    public boolean isEmpty() {
        return lateAfter.isEmpty() && failures.isEmpty();
    }
}
