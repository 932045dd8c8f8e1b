package io.onbeat.task;

/** The run has another owner now: this attempt's outcome is discarded, and its transaction was rolled back. */
public final class LeaseLost extends RuntimeException {
    public LeaseLost(String runKey, int attempt) {
        super("the lease of " + runKey + ", attempt " + attempt + ", was lost to another owner");
    }
}
