package io.onbeat.task.test;

import io.onbeat.lock.LockStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Locks of one test. */
final class MemoryLocks implements LockStore {
    private final Map<String, Entry> entries = new HashMap<>();
    private long lastToken;

    private record Entry(UUID holder, String owner, long token, long untilNanos) {
        boolean isOver() {
            return System.nanoTime() - untilNanos >= 0;
        }
    }

    @Override
    public synchronized Answer acquire(String name, UUID holder, String owner, Duration timeToLive) {
        Entry known = entries.get(name);
        if (known != null && !known.isOver() && !known.holder().equals(holder)) {
            return new Answer.Busy(known.owner());
        }
        boolean again = known != null && known.holder().equals(holder);
        long token = again ? known.token() : ++lastToken;
        entries.put(name, new Entry(holder, owner, token, until(timeToLive)));
        return new Answer.Acquired(token);
    }

    @Override
    public synchronized boolean renew(String name, UUID holder, Duration timeToLive) {
        Entry known = entries.get(name);
        if (known == null || known.isOver() || !known.holder().equals(holder)) {
            return false;
        }
        entries.put(name, new Entry(holder, known.owner(), known.token(), until(timeToLive)));
        return true;
    }

    @Override
    public synchronized void release(String name, UUID holder) {
        entries.computeIfPresent(name, (key, known) -> known.holder().equals(holder) ? null : known);
    }

    @Override
    public void close() {
        // memory only
    }

    private static long until(Duration timeToLive) {
        return System.nanoTime() + timeToLive.toNanos();
    }
}
