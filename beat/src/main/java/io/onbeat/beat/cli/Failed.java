package io.onbeat.beat.cli;

/** What was asked for could not be done: exit code 1, and the message says why. */
final class Failed extends RuntimeException {
    Failed(String message) {
        super(message);
    }

    Failed(String message, Throwable cause) {
        super(message, cause);
    }
}
