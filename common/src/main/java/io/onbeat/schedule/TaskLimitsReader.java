package io.onbeat.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The {@code tasks} of one load, of all its files together: how many runs of a task may run at once. */
final class TaskLimitsReader {
    static final int MOST = 10_000;

    private final SortedMap<String, Integer> limits = new TreeMap<>();
    private final Map<String, String> places = new HashMap<>();

    /** Reads the {@code tasks} of a file. */
    void read(String file, Node node, Report report) {
        if (!(node instanceof Node.Fields fields)) {
            report.add(node, "tasks: " + node.shown() + " is not a map: write {NAME: {max_concurrency: 2}}");
            return;
        }
        for (Node.Field field : fields.fields()) {
            String first = places.putIfAbsent(field.key(), file + ":" + field.line());
            if (first != null) {
                report.add(
                        field.line(),
                        field.column(),
                        "duplicate task \"" + Quoted.oneLine(field.key()) + "\": " + first + " has it already");
                continue;
            }
            try {
                Names.check("task", field.key());
                readTask(field, report);
            } catch (InvalidSchedule e) {
                report.add(field.line(), field.column(), e.getMessage());
            }
        }
    }

    SortedMap<String, Integer> limits() {
        return limits;
    }

    private void readTask(Node.Field task, Report report) {
        if (!(task.value() instanceof Node.Fields fields)) {
            report.add(
                    task.value(),
                    "tasks." + task.key() + ": " + task.value().shown() + " is not a map: write {max_concurrency: 2}");
            return;
        }
        if (fields.fields().isEmpty()) {
            report.add(
                    task.value(), "tasks." + task.key() + ": max_concurrency is missing: write {max_concurrency: 2}");
        }
        Section section = new Section(fields, report, Keys.TASK.names());
        section.whole("max_concurrency").ifPresent(limit -> put(task, section, limit, report));
    }

    private void put(Node.Field task, Section section, int limit, Report report) {
        if (limit >= 1 && limit <= MOST) {
            limits.put(task.key(), limit);
            return;
        }
        report.add(
                section.field("max_concurrency").orElseThrow().value(),
                "tasks." + task.key() + ".max_concurrency: " + limit + " is not from 1 to " + MOST
                        + (limit == 0 ? "; to let none run, pause the schedules (onbeat pause NAME)" : ""));
    }
}
