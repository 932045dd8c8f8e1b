package io.onbeat.metrics;

/** The name of every metric. A counter's name ends in {@code _total} on the page, a timer's in {@code _seconds_…}. */
public final class MetricNames {
    public static final String RUNS_CLAIMED = "onbeat_runs_claimed";
    /** with the label {@link #STATE}: the run's state after the attempt */
    public static final String RUNS_FINISHED = "onbeat_runs_finished";

    public static final String DUPLICATES = "onbeat_duplicates";
    /** outcomes that were discarded because the lease was another's */
    public static final String LOST = "onbeat_lost";
    /** messages whose run had expired */
    public static final String EXPIRED = "onbeat_expired";
    /** messages whose run waits for a permit of its task */
    public static final String WAITING = "onbeat_waiting";
    /** messages of ours whose run the ledger no longer has */
    public static final String FORGOTTEN = "onbeat_forgotten";

    public static final String UNREADABLE = "onbeat_unreadable";
    /** messages of a newer version, put off for a newer worker */
    public static final String PUT_OFF = "onbeat_put_off";

    public static final String ADOPTED = "onbeat_adopted";
    public static final String REPLAYED = "onbeat_replayed";
    public static final String RUNNING = "onbeat_running";
    /** time of one claim statement, whatever its batch */
    public static final String CLAIM = "onbeat_claim";
    /** time of one settle transaction, whatever its batch */
    public static final String SETTLE = "onbeat_settle";

    /** 1 while this beat leads, 0 while it stands by */
    public static final String LEADING = "onbeat_leading";
    /** 1 while the schedule file has errors, and the last good schedules are in force instead */
    public static final String SCHEDULE_FILE_BAD = "onbeat_schedule_file_bad";
    /** runs that fire transactions wrote */
    public static final String RUNS_FIRED = "onbeat_runs_fired";
    /** due fires that fire transactions wrote as skips */
    public static final String FIRES_SKIPPED = "onbeat_fires_skipped";

    public static final String STATE = "state";

    private MetricNames() {}
}
