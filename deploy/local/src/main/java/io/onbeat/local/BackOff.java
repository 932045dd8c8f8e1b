package io.onbeat.local;

import java.time.Duration;

/** The pauses before something that keeps ending is started again: each twice the last, and the first again once it has lived. */
final class BackOff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Duration HEALTHY = Duration.ofSeconds(60);

    private Duration next = FIRST;

    Duration pauseAfter(Duration lived) {
        Duration pause = lived.compareTo(HEALTHY) > 0 ? FIRST : next;
        Duration doubled = pause.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }
}
