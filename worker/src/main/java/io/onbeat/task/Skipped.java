package io.onbeat.task;

/** Ends the run as skipped, with the reason on record: a busy lock, nothing to do. */
public final class Skipped extends RuntimeException {
    public Skipped(String reason) {
        super(reason);
    }
}
