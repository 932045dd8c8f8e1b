package io.onbeat.beat.fire;

import io.onbeat.ledger.Skips;
import java.time.Instant;

/** What becomes of due fires. */
sealed interface Verdict {
    /** The fire becomes a run, unless overlap forbids it; one that waits follows the runs before it. */
    record Run(Instant fireTime, boolean waiting) implements Verdict {}

    /** The fire meets the run that its period has already. */
    record Met(Instant fireTime) implements Verdict {}

    /** These fires in a row become no run. */
    record Skip(Skips.Reason reason, Instant first, Instant last, long count) implements Verdict {}
}
