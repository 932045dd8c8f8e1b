package io.onbeat.schedule;

/** Text that is not YAML or JSON at all, with the place where reading it ended. */
final class MalformedFile extends Exception {
    private final int line;
    private final int column;

    MalformedFile(int line, int column, String message) {
        super(message);
        this.line = line;
        this.column = column;
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }
}
