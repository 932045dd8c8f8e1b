package io.onbeat.lock;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/**
 * Where locks are kept. Each call is atomic, and repeating one with the same holder gives the same answer, so that a lost
 * reply loses nothing. For any thread.
 *
 * <p>Invariants: a lock has one holder at most, until its time to live has passed or the holder lets go; only its holder
 * renews or releases it; of two acquisitions of one name the later one has the larger token.
 */
public interface LockStore extends AutoCloseable {

    /** What became of an attempt to acquire. */
    sealed interface Answer {
        /** @param token the fencing token: larger than that of every earlier holder */
        record Acquired(long token) implements Answer {}

        /** @param owner who has it */
        record Busy(String owner) implements Answer {}
    }

    /**
     * Takes the lock if nobody has it.
     *
     * @param holder made anew for each acquisition: the proof of who holds it
     * @param owner who that is, for people
     * @throws IOException when the store cannot be asked; whether the lock was taken is unknown then, so release it
     */
    Answer acquire(String name, UUID holder, String owner, Duration timeToLive) throws IOException;

    /**
     * Lets the holder's time to live begin anew.
     *
     * @return false where another holder, or none, has the lock now
     */
    boolean renew(String name, UUID holder, Duration timeToLive) throws IOException;

    /** Lets go, if it is the holder's; anybody else's lock stays as it is. */
    void release(String name, UUID holder) throws IOException;

    @Override
    void close();
}
