package io.onbeat.beat.fire;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The ledger's time as a beat knows it: the database's time when it last answered, plus the time elapsed since by the
 * monotonic clock. The machine's wall clock plays no part, so stepping it changes nothing.
 */
public final class LedgerClock implements InstantSource {
    private record Reading(Instant databaseTime, long nanos) {}

    private final LongSupplier nanoTime;
    private volatile Reading reading;

    /** @param nanoTime the monotonic clock */
    public LedgerClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @param databaseTime as the database has just answered it */
    public void set(Instant databaseTime) {
        reading = new Reading(databaseTime, nanoTime.getAsLong());
    }

    /** To the millisecond, so that the ledger stores it unchanged. */
    @Override
    public Instant instant() {
        Reading last = reading;
        if (last == null) {
            throw new IllegalStateException("the database has not been asked for its time yet");
        }
        return last.databaseTime.plusNanos(nanoTime.getAsLong() - last.nanos).truncatedTo(ChronoUnit.MILLIS);
    }

    public Duration until(Instant instant) {
        return Duration.between(instant(), instant);
    }
}
