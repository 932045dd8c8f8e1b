package io.onbeat.schedule;

import java.util.SortedMap;
import java.util.TreeMap;

/** The {@code tasks} of one load, of all its files together: how many runs of a task may run at once. */
final class TaskLimitsReader {
    static final int MOST = 10_000;

    private final SortedMap<String, Integer> limits = new TreeMap<>();
    private final NamedEntries entries = new NamedEntries("tasks", "task", "{NAME: {max_concurrency: 2}}");

    /** Reads the {@code tasks} of a file. */
    void read(String file, Node node, Report report) {
        entries.read(file, node, report, task -> readTask(task, report));
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
