package io.onbeat.task.builtin;

/** A request that got no answer, or not the one that was asked for. */
public final class HttpFailure extends Exception {
    HttpFailure(String message) {
        super(message);
    }

    HttpFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
