package io.onbeat.lock;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lock that this process holds, until it is closed or lost. For any thread. */
public final class HeldLock implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HeldLock.class);

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    private final LockStore store;
    private final String name;
    private final UUID holder;
    private final long token;
    private final Duration timeToLive;
    private final Runnable lost;
    private volatile State state = State.HELD;
    private volatile long heldUntilNanos;
    private Future<?> renewals = new CompletableFuture<Void>();
    private Future<?> checks = renewals;

    HeldLock(
            LockStore store,
            String name,
            UUID holder,
            long token,
            Duration timeToLive,
            long heldUntilNanos,
            Runnable lost) {
        this.store = store;
        this.name = name;
        this.holder = holder;
        this.token = token;
        this.timeToLive = timeToLive;
        this.heldUntilNanos = heldUntilNanos;
        this.lost = lost;
    }

    public String name() {
        return name;
    }

    /** The fencing token: a store that remembers the largest one it has seen can refuse writes with a smaller one. */
    public long token() {
        return token;
    }

    /** False once it was closed, or its time to live passed without a renewal: another may hold it then. */
    public boolean isHeld() {
        check();
        return state == State.HELD;
    }

    /** Lets go; a lock that was lost stays as it is. Where the store cannot be reached, the time to live ends it. */
    @Override
    public void close() {
        if (!end(State.RELEASED)) {
            return;
        }
        try {
            store.release(name, holder);
        } catch (IOException unreachable) {
            log.warn(
                    "lock {} could not be released, and ends by itself within {}: {}",
                    name,
                    timeToLive,
                    unreachable.getMessage());
        }
    }

    synchronized void watchedBy(Future<?> renewing, Future<?> checking) {
        renewals = renewing;
        checks = checking;
        if (state != State.HELD) {
            cancelWatch();
        }
    }

    // counted from before it was sent: the store's own count can only end later
    void renew() {
        long sentNanos = System.nanoTime();
        try {
            if (store.renew(name, holder, timeToLive)) {
                heldUntilNanos = sentNanos + timeToLive.toNanos();
            } else {
                lose();
            }
        } catch (IOException unreachable) {
            log.warn("lock {} could not be renewed yet: {}", name, unreachable.getMessage());
        }
    }

    void check() {
        if (System.nanoTime() - heldUntilNanos >= 0) {
            lose();
        }
    }

    private void lose() {
        if (end(State.LOST)) {
            log.warn("lock {} was lost", name);
            lost.run();
        }
    }

    private synchronized boolean end(State as) {
        if (state != State.HELD) {
            return false;
        }
        state = as;
        cancelWatch();
        return true;
    }

    private void cancelWatch() {
        renewals.cancel(false);
        checks.cancel(false);
    }
}
