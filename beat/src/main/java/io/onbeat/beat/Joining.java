package io.onbeat.beat;

import java.time.Duration;

/** Waits for threads to end. */
public final class Joining {
    private Joining() {}

    /** Waits for a while; an interrupt ends the wait and stays set. */
    public static void join(Thread thread, Duration longest) {
        try {
            thread.join(longest.toMillis());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
