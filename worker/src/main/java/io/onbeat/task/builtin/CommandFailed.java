package io.onbeat.task.builtin;

/** A command that could not be started, or ended otherwise than with 0. */
public final class CommandFailed extends Exception {
    CommandFailed(String message) {
        super(message);
    }

    CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
