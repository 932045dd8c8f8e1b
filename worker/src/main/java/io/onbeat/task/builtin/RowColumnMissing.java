package io.onbeat.task.builtin;

/** A row has no value where a URL or a header needs one. */
final class RowColumnMissing extends RuntimeException {
    RowColumnMissing(String column) {
        super("its column " + column + " is null, and the url or a header needs it");
    }
}
