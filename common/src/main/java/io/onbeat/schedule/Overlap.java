package io.onbeat.schedule;

/** What happens to a fire while an earlier run of the same schedule is active. */
public enum Overlap {
    /** It runs beside it. */
    ALLOW,
    /** It is skipped. */
    SKIP,
    /** It waits for its turn: one run at a time, in fire order. */
    QUEUE
}
