package io.onbeat.schedule;

/** What happens to a fire while an earlier run of the same schedule is active. */
public enum Overlap {
    /** It runs beside it. */
    ALLOW,
    /** It is skipped. */
    SKIP
}
