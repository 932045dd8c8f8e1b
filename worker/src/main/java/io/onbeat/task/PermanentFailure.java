package io.onbeat.task;

/** Ends the run as dead at once: another attempt would fail alike. */
public final class PermanentFailure extends RuntimeException {
    public PermanentFailure(String message) {
        super(message);
    }

    public PermanentFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
