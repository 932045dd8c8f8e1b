package io.onbeat.lock;

import io.onbeat.lock.LockStore.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Acquires locks and keeps them: a watchdog renews each three times in its time to live, so a lock may be held far longer
 * than that, and ends soon after its process does.
 */
public final class Locks implements AutoCloseable {
    public static final Duration SHORTEST = Duration.ofMillis(200);
    public static final Duration LONGEST = Duration.ofDays(1);
    private static final int LONGEST_NAME = 255;
    private static final Duration FIRST_LOOK = Duration.ofMillis(20);
    private static final Duration SELDOM = Duration.ofMillis(500);

    private final LockStore store;
    // a store that hangs holds up renewals, and must not hold up the notice that the time is over
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(Locks::daemon);
    private final ExecutorService renewing = Executors.newCachedThreadPool(Locks::daemon);

    /** @param store is closed with this */
    public Locks(LockStore store) {
        this.store = store;
    }

    /** What came of waiting for a lock. */
    public sealed interface Acquisition {
        record Held(HeldLock lock) implements Acquisition {}

        /** @param owner who has it */
        record Busy(String owner) implements Acquisition {}
    }

    /**
     * Acquires the lock, or gives up when it is still another's after {@code wait}.
     *
     * @param owner who acquires it, for people
     * @param lost called once, on another thread, when the lock ends before it is closed
     * @throws IllegalArgumentException for a name or a time to live that cannot be
     * @throws IOException when the store cannot be asked, and could not during {@code wait}
     */
    public Acquisition acquire(String name, String owner, Duration timeToLive, Duration wait, Runnable lost)
            throws IOException, InterruptedException {
        checkName(name);
        checkTimeToLive(timeToLive);
        long giveUpNanos = System.nanoTime() + wait.toNanos();
        UUID holder = UUID.randomUUID();
        Duration pause = FIRST_LOOK;
        while (true) {
            long sentNanos = System.nanoTime();
            Answer answer;
            try {
                answer = ask(name, holder, owner, timeToLive);
            } catch (IOException away) {
                if (giveUpNanos - System.nanoTime() <= 0) {
                    throw away;
                }
                // patience is for the store too
                TimeUnit.NANOSECONDS.sleep(Math.min(SELDOM.toNanos(), Math.max(0, giveUpNanos - System.nanoTime())));
                continue;
            }
            if (answer instanceof Answer.Acquired acquired) {
                HeldLock lock = new HeldLock(
                        store, name, holder, acquired.token(), timeToLive, sentNanos + timeToLive.toNanos(), lost);
                watch(lock, timeToLive);
                return new Acquisition.Held(lock);
            }
            long leftNanos = giveUpNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return new Acquisition.Busy(((Answer.Busy) answer).owner());
            }
            // spread, so that those who wait do not all ask at once
            long spread = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos() + 1);
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, spread));
            pause = pause.multipliedBy(2).compareTo(SELDOM) > 0 ? SELDOM : pause.multipliedBy(2);
        }
    }

    private Answer ask(String name, UUID holder, String owner, Duration timeToLive) throws IOException {
        try {
            return store.acquire(name, holder, owner, timeToLive);
        } catch (IOException unknown) {
            // it may have been taken all the same
            try {
                store.release(name, holder);
            } catch (IOException alike) {
                unknown.addSuppressed(alike);
            }
            throw unknown;
        }
    }

    private void watch(HeldLock lock, Duration timeToLive) {
        long third = timeToLive.toMillis() / 3;
        long tick = Math.max(10, timeToLive.toMillis() / 50);
        RenewOnce renew = new RenewOnce(lock);
        lock.watchedBy(
                timer.scheduleAtFixedRate(renew, third, third, TimeUnit.MILLISECONDS),
                timer.scheduleWithFixedDelay(lock::check, tick, tick, TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        renewing.shutdownNow();
        store.close();
    }

    /** Has a lock renewed on a thread of its own, one renewal at a time. */
    private final class RenewOnce implements Runnable {
        private final HeldLock lock;
        private final AtomicBoolean atWork = new AtomicBoolean();

        RenewOnce(HeldLock lock) {
            this.lock = lock;
        }

        @Override
        public void run() {
            if (atWork.compareAndSet(false, true)) {
                renewing.execute(() -> {
                    try {
                        lock.renew();
                    } finally {
                        atWork.set(false);
                    }
                });
            }
        }
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a lock's name is 1 to " + LONGEST_NAME
                    + " characters without control characters, and not '" + name + "'");
        }
    }

    private static void checkTimeToLive(Duration timeToLive) {
        if (timeToLive.compareTo(SHORTEST) < 0 || timeToLive.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a lock's time to live is 200ms to 1d, and not " + timeToLive.toMillis() + "ms");
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "locks");
        thread.setDaemon(true);
        return thread;
    }
}
