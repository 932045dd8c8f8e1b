package io.onbeat.task;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A lock by name, the same for every run, worker and {@code onbeat lock}: at most one of them holds it.
 *
 * <p>It is a lease. While the holder lives it is renewed, so a task may hold it for hours; when the holder's process dies it
 * ends by itself after the time to live. A process that stands still for longer than that (a pause of the machine, a lost
 * network) loses the lock without knowing at once: nothing can prevent that. It is told as soon as it goes on, by an
 * interrupt, and the attempt fails. Where two holders for a moment would do harm, give the {@linkplain Held#token() token}
 * to what is written to, and let it refuse a token smaller than one that it has seen.
 */
public interface Lock {
    Duration TIME_TO_LIVE = Duration.ofSeconds(30);

    /**
     * The same lock with another time to live: how long after its holder's death it is free again. It may be far shorter
     * than the task.
     *
     * @param timeToLive from 200 ms to a day
     */
    Lock timeToLive(Duration timeToLive);

    /**
     * Acquires the lock if nobody holds it, else waits for it.
     *
     * @param wait how long at most; zero asks once
     * @return empty where it is still another's
     * @throws IOException when the store of the locks cannot be asked
     */
    Optional<Held> tryLock(Duration wait) throws IOException, InterruptedException;

    /**
     * Acquires the lock, or ends the run as skipped, with the reason who holds it.
     *
     * @throws Skipped where it is another's
     */
    Held lockOrSkip() throws IOException, InterruptedException;

    /** A lock that this attempt holds until it is closed; the end of the attempt closes it too. */
    interface Held extends AutoCloseable {

        /** The fencing token: larger than that of every earlier holder of this name. */
        long token();

        /** False once it was closed or lost. */
        boolean isHeld();

        @Override
        void close();
    }
}
