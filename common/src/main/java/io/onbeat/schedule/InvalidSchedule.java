package io.onbeat.schedule;

/** A schedule, or a part of one, that cannot be accepted. The message is one line: what is wrong, quoted, and what is allowed. */
public final class InvalidSchedule extends IllegalArgumentException {
    public InvalidSchedule(String message) {
        super(message);
    }
}
