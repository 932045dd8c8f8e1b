package io.onbeat.schedule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers the problems of one file, so that all of them are told at once. */
final class Report {
    private final String file;
    private final List<Problem> problems = new ArrayList<>();
    private String schedule = "";

    Report(String file) {
        this.file = file;
    }

    void enter(String name) {
        schedule = name;
    }

    void leave() {
        schedule = "";
    }

    void add(int line, int column, String message) {
        problems.add(new Problem(file, line, column, schedule, message));
    }

    void add(Node node, String message) {
        add(node.line(), node.column(), message);
    }

    /** In the order in which they stand in the file. */
    List<Problem> problems() {
        return problems.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .toList();
    }

    int size() {
        return problems.size();
    }
}
