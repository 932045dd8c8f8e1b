package io.onbeat.beat.cli;

import io.onbeat.beat.cli.ScheduleDiff.Entry;
import io.onbeat.beat.cli.ScheduleDiff.Kind;
import io.onbeat.beat.cli.ScheduleDiff.LimitChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows a {@link ScheduleDiff}. */
final class DiffReport {
    private DiffReport() {}

    static void print(ScheduleDiff diff, Output output) {
        if (!diff.entries().isEmpty()) {
            Table table = new Table("CHANGE", "SCHEDULE", "WHAT", "NEXT FIRE BEFORE", "NEXT FIRE AFTER");
            diff.entries()
                    .forEach(entry ->
                            table.row(entry.kind(), entry.name(), what(entry), entry.nextBefore(), entry.nextAfter()));
            table.lines().forEach(output::line);
            output.line("");
        }
        diff.limits()
                .forEach(limit -> output.line("task " + limit.task() + ": max_concurrency " + shown(limit.before())
                        + " → " + shown(limit.after())));
        output.line(summary(diff));
        Fields answer = new Fields();
        for (Kind kind : Kind.values()) {
            answer.add(
                    kind.toString(),
                    diff.entries().stream()
                            .filter(entry -> entry.kind() == kind)
                            .map(DiffReport::fields)
                            .toList());
        }
        if (!diff.limits().isEmpty()) {
            answer.add("limits", diff.limits().stream().map(DiffReport::fields).toList());
        }
        output.answer(answer.add("unchanged", diff.unchanged()).values());
    }

    private static String shown(Optional<Integer> limit) {
        return limit.map(String::valueOf).orElse("none");
    }

    private static Object fields(LimitChange limit) {
        return new Fields()
                .add("task", limit.task())
                .add("before", limit.before())
                .add("after", limit.after())
                .values();
    }

    private static String what(Entry entry) {
        List<String> parts = new ArrayList<>();
        if (!entry.was().isEmpty()) {
            parts.add("was " + entry.was());
        }
        if (!entry.keys().isEmpty()) {
            parts.add(String.join(", ", entry.keys()));
        }
        if (entry.retimed() && (entry.kind() == Kind.CHANGED || entry.kind() == Kind.RENAMED)) {
            parts.add("fires differently");
        }
        return parts.isEmpty() ? "-" : String.join("; ", parts);
    }

    private static String summary(ScheduleDiff diff) {
        List<String> parts = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (kind != Kind.RENAMED || diff.count(kind) > 0) {
                parts.add(diff.count(kind) + " " + kind);
            }
        }
        return String.join(", ", parts) + ", " + diff.unchanged() + " unchanged";
    }

    private static Object fields(Entry entry) {
        Fields fields = new Fields().add("name", entry.name());
        if (entry.kind() == Kind.RENAMED) {
            fields.add("was", entry.was());
        }
        if (entry.kind() == Kind.RENAMED || entry.kind() == Kind.CHANGED) {
            fields.add("keys", entry.keys()).add("fires_differently", entry.retimed());
        }
        if (entry.kind() != Kind.ADDED) {
            fields.add("next_fire_before", entry.nextBefore());
        }
        if (entry.kind() != Kind.REMOVED) {
            fields.add("next_fire_after", entry.nextAfter());
        }
        return fields.values();
    }
}
