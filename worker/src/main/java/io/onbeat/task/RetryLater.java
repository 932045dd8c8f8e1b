package io.onbeat.task;

import java.time.Duration;

/** Fails this attempt and names the delay before the next one, in place of the retry policy's. It counts as a failure. */
public final class RetryLater extends RuntimeException {
    private final transient Duration delay;

    public RetryLater(Duration delay) {
        this(delay, "asked to be tried again after " + delay.toMillis() + " ms");
    }

    /** @throws IllegalArgumentException when the delay is negative */
    public RetryLater(Duration delay, String message) {
        super(message);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a delay may not be negative: " + delay);
        }
        this.delay = delay;
    }

    public Duration delay() {
        return delay;
    }
}
