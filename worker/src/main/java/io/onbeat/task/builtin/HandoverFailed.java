package io.onbeat.task.builtin;

/** A message that the broker has not taken, or has not said that it has: the next attempt hands it over again. */
public final class HandoverFailed extends Exception {
    HandoverFailed(String message) {
        super(message);
    }

    HandoverFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
