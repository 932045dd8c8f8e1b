package io.onbeat.task.builtin;

/** The work of some rows failed, and another attempt tries them again. */
public final class RowsFailed extends Exception {
    RowsFailed(String message) {
        super(message);
    }
}
