package io.onbeat.schedule;

import java.util.Optional;

/** Reads {@code alert: {late_after, failures}}. */
final class AlertReader {
    private AlertReader() {}

    /** What is not given comes from {@code base}. */
    static Optional<Alert> read(Node node, Alert base, Report report) {
        if (!(node instanceof Node.Fields fields)) {
            report.add(node, "alert: " + node.shown() + " is not a map: write {late_after: 5m, failures: 3}");
            return Optional.empty();
        }
        Section section = new Section(fields, report, Keys.ALERT.names());
        try {
            return Optional.of(new Alert(
                    section.read("late_after", Section::asPositive).or(base::lateAfter),
                    section.whole("failures").or(base::failures)));
        } catch (InvalidSchedule e) {
            report.add(section.field("failures").map(Node.Field::value).orElse(node), "alert: " + e.getMessage());
            return Optional.empty();
        }
    }
}
