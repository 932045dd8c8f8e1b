package io.onbeat.worker.execute;

import io.onbeat.lock.HeldLock;
import io.onbeat.lock.Locks;
import io.onbeat.lock.Locks.Acquisition;
import io.onbeat.task.Lock;
import io.onbeat.task.Skipped;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The locks of one attempt: those that it did not close end with it, and the loss of one stops it. */
final class TaskLocks implements AutoCloseable {
    private final Locks locks;
    private final String owner;
    private final Consumer<String> lost;
    private final List<HeldLock> held = new CopyOnWriteArrayList<>();

    /** @param lost given the name of a lock that was lost before it was closed */
    TaskLocks(Locks locks, String owner, Consumer<String> lost) {
        this.locks = locks;
        this.owner = owner;
        this.lost = lost;
    }

    Lock named(String name) {
        return new Named(name, Lock.TIME_TO_LIVE);
    }

    @Override
    public void close() {
        held.forEach(HeldLock::close);
    }

    private final class Named implements Lock {
        private final String name;
        private final Duration timeToLive;

        Named(String name, Duration timeToLive) {
            this.name = name;
            this.timeToLive = timeToLive;
        }

        @Override
        public Lock timeToLive(Duration other) {
            return new Named(name, other);
        }

        @Override
        public Optional<Held> tryLock(Duration wait) throws IOException, InterruptedException {
            return acquire(wait) instanceof Acquisition.Held acquired
                    ? Optional.of(holding(acquired))
                    : Optional.empty();
        }

        @Override
        public Held lockOrSkip() throws IOException, InterruptedException {
            Acquisition answer = acquire(Duration.ZERO);
            if (answer instanceof Acquisition.Busy busy) {
                throw new Skipped("lock " + name + " is held by " + busy.owner());
            }
            return holding((Acquisition.Held) answer);
        }

        private Acquisition acquire(Duration wait) throws IOException, InterruptedException {
            return locks.acquire(name, owner, timeToLive, wait, () -> lost.accept(name));
        }

        private Held holding(Acquisition.Held acquired) {
            held.add(acquired.lock());
            return new Holding(acquired.lock());
        }
    }

    private record Holding(HeldLock lock) implements Lock.Held {
        @Override
        public long token() {
            return lock.token();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public void close() {
            lock.close();
        }
    }
}
