package io.onbeat.worker.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue's messages on this worker: those that may be claimed, and those that came before their time. At most as many as the
 * broker leaves here unacknowledged: what came over a channel that is closed by now comes again, and is dropped.
 */
public final class Inbox {
    private record Early(Incoming message, long dueNanos) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Incoming> ready = new ArrayDeque<>();
    private final PriorityQueue<Early> early =
            new PriorityQueue<>(Comparator.comparingLong((Early e) -> e.dueNanos - START_NANOS));
    private boolean closed;

    // nanoTime has no zero: times are compared by their distance from one point
    private static final long START_NANOS = System.nanoTime();

    /** After {@link #close}, what comes is given back at once. */
    public void put(Incoming message) {
        lock.lock();
        try {
            if (!closed) {
                ready.add(message);
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        message.delivery().giveBack();
    }

    /** Keeps it until {@code delay} has passed. */
    public void hold(Incoming message, Duration delay) {
        lock.lock();
        try {
            if (!closed) {
                early.add(new Early(message, System.nanoTime() + delay.toNanos()));
                changed.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        message.delivery().giveBack();
    }

    /** Waits for a message, and takes what is there, up to {@code most}; nothing once this is closed. */
    public List<Incoming> take(int most) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                long wait = admitDue();
                List<Incoming> taken = takeReady(most);
                if (!taken.isEmpty()) {
                    return taken;
                }
                if (wait == Long.MAX_VALUE) {
                    changed.await();
                } else {
                    changed.await(wait, TimeUnit.NANOSECONDS);
                }
            }
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    /** How many are held until their time comes. */
    public int held() {
        lock.lock();
        try {
            return early.size();
        } finally {
            lock.unlock();
        }
    }

    /** To be called now and then: gives back what has been here for longer than {@code age}, which the broker would take for lost. */
    public void giveBackOlderThan(Duration age) {
        List<Incoming> old = new ArrayList<>();
        lock.lock();
        try {
            dropStale();
            for (Iterator<Incoming> each = ready.iterator(); each.hasNext(); ) {
                Incoming message = each.next();
                if (message.delivery().age().compareTo(age) > 0) {
                    old.add(message);
                    each.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        old.forEach(message -> message.delivery().giveBack());
    }

    /** Gives back everything, now and from now on. */
    public void close() {
        List<Incoming> left = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            left.addAll(ready);
            early.forEach(each -> left.add(each.message));
            ready.clear();
            early.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(message -> message.delivery().giveBack());
    }

    private List<Incoming> takeReady(int most) {
        List<Incoming> taken = new ArrayList<>(Math.min(most, ready.size()));
        while (taken.size() < most && !ready.isEmpty()) {
            Incoming next = ready.poll();
            if (!next.delivery().isStale()) {
                taken.add(next);
            }
        }
        return taken;
    }

    private void dropStale() {
        ready.removeIf(message -> message.delivery().isStale());
        early.removeIf(each -> each.message.delivery().isStale());
    }

    /** Moves what has become due among the ready; returns the time until the next one, in nanoseconds. */
    private long admitDue() {
        long now = System.nanoTime();
        while (!early.isEmpty() && early.peek().dueNanos - now <= 0) {
            ready.add(early.poll().message);
        }
        return early.isEmpty() ? Long.MAX_VALUE : early.peek().dueNanos - now;
    }
}
