package io.onbeat.worker.execute;

/** Why a running task is interrupted. */
public enum StopReason {
    TIMED_OUT,
    CANCELLED,
    /** a lock that the task held is another's by now */
    LOCK_LOST,
    /** another worker may have the run: the outcome is discarded */
    LEASE_LOST,
    /** the worker stops: the run is given back, and no failure is counted */
    RELEASED
}
