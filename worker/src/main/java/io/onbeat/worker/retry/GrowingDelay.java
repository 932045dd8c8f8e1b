package io.onbeat.worker.retry;

import java.time.Duration;

/** How long to wait before something is tried again: twice as long each time, up to a limit. Not for several threads. */
public final class GrowingDelay {
    private final Duration first;
    private final Duration most;
    private Duration next;

    public GrowingDelay(Duration first, Duration most) {
        this.first = first;
        this.most = most;
        this.next = first;
    }

    /** For servers that are away: half a second to ten. */
    public static GrowingDelay forServers() {
        return new GrowingDelay(Duration.ofMillis(500), Duration.ofSeconds(10));
    }

    /** For one statement or batch that holds up others: from a tenth of a second on. */
    public static GrowingDelay forStatements(Duration most) {
        return new GrowingDelay(Duration.ofMillis(100), most);
    }

    public Duration next() {
        Duration delay = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(most) > 0 ? most : doubled;
        return delay;
    }

    public void reset() {
        next = first;
    }
}
