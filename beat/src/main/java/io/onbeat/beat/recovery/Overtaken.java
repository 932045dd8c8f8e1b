package io.onbeat.beat.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers how far workers had claimed each queue some time ago. Queues are first in, first out: what was queued well
 * before that, and still waits, was overtaken.
 */
final class Overtaken {
    private record Observation(long nanos, Map<String, Instant> claimedUpTo) {}

    private final Duration age;
    private final LongSupplier nanoTime;
    private final Deque<Observation> observations = new ArrayDeque<>();
    private Map<String, Instant> old = Map.of();

    Overtaken(Duration age, LongSupplier nanoTime) {
        this.age = age;
        this.nanoTime = nanoTime;
    }

    /** @return by queue, how far it had been claimed {@code age} ago; nothing in the first {@code age} */
    Map<String, Instant> observe(Map<String, Instant> claimedUpTo) {
        long now = nanoTime.getAsLong();
        observations.addLast(new Observation(now, new HashMap<>(claimedUpTo)));
        while (now - observations.getFirst().nanos >= age.toNanos()) {
            old = observations.removeFirst().claimedUpTo;
        }
        return old;
    }
}
