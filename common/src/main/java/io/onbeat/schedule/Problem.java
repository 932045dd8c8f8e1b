package io.onbeat.schedule;

/**
 * One thing that is wrong in a schedule file.
 *
 * @param line counts from 1; 0 when the problem is the whole file
 * @param schedule empty when the problem is outside any schedule
 */
public record Problem(String file, int line, int column, String schedule, String message) {
    /** {@code file:line:col: schedule NAME: message}, in one line. */
    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        String about = schedule.isEmpty() ? "" : "schedule " + Quoted.oneLine(schedule) + ": ";
        return place + ": " + about + message;
    }
}
