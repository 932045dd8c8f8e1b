package io.onbeat.beat.cli;

/** The caller asked for something that cannot be: exit code 2, and the message says what to do. */
final class UsageError extends RuntimeException {
    UsageError(String message) {
        super(message);
    }
}
