package io.onbeat.verify.faults.check;

import java.time.Instant;

/**
 * What must hold at the end beyond what always holds.
 *
 * @param to every fire time up to here must have been judged by now
 * @param queues what the broker holds at the end
 * @param dead what of the dead messages must be there
 */
public record Expectations(Instant to, Queues queues, Dead dead) {

    /** Of the message of a dead run. */
    public enum Dead {
        /** no beat, connection or broker was hit while it published */
        EXACTLY_ONE,
        /** a publish was cut off before its confirm, and done again */
        AT_LEAST_ONE,
        /** the broker's data was wiped, or its dead queue purged: what was there is gone */
        MAY_BE_GONE
    }
}
