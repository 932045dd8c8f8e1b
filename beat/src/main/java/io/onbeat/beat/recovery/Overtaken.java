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
 * before that, and still waits, was overtaken. Well before, since messages are published in the order in which their runs
 * were queued, but for those of a few seconds.
 */
final class Overtaken {
    private static final Duration WELL_BEFORE = Duration.ofSeconds(10);

    private record Observation(long nanos, Map<String, Instant> claimedUpTo) {}

    private final Duration age;
    private final LongSupplier nanoTime;
    private final Deque<Observation> observations = new ArrayDeque<>();
    private Map<String, Instant> old = Map.of();

    Overtaken(Duration age, LongSupplier nanoTime) {
        this.age = age;
        this.nanoTime = nanoTime;
    }

    /** @return by queue, before which time a run was queued that was overtaken; nothing in the first {@code age} */
    Map<String, Instant> observe(Map<String, Instant> claimedUpTo) {
        long now = nanoTime.getAsLong();
        Map<String, Instant> before = new HashMap<>(claimedUpTo);
        before.replaceAll((queue, newest) -> newest.minus(WELL_BEFORE));
        observations.addLast(new Observation(now, before));
        while (now - observations.getFirst().nanos >= age.toNanos()) {
            old = observations.removeFirst().claimedUpTo;
        }
        return old;
    }
}
