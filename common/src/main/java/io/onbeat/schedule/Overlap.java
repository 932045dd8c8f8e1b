package io.onbeat.schedule;

/** What happens to a fire while an earlier run of the same schedule is active. */
public enum Overlap {
    /** It runs beside it. */
    ALLOW,
    /** It is skipped. */
    SKIP,
    /** It waits for its turn: one run at a time, in fire order. */
    QUEUE;

    /** How many runs of one schedule may wait for their turn; what is due beyond that is skipped. */
    public static final int MOST_WAITING = 1_000;
}
