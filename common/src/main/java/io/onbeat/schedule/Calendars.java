package io.onbeat.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the calendars are that {@code except} is about. */
sealed interface Calendars permits NamedCalendars, Calendars.Embedded {
    /** In a spec of the ledger: {@code except} holds the calendars themselves, {@code {NAME: [dates]}}. */
    Calendars EMBEDDED = new Embedded();

    /** What the section's {@code except} takes out; nothing when it has none, or when it is wrong and has been reported. */
    Optional<Exclusions> except(Section section);

    /** The dates of one calendar: a list of them, or a single one. Those that are wrong are reported, and left out. */
    static Calendar calendar(String name, Node node, Report report) {
        List<DateRange> ranges = new ArrayList<>();
        for (Node item : node instanceof Node.Items items ? items.values() : List.of(node)) {
            try {
                ranges.add(DateRange.parse(Section.asText(item)));
            } catch (InvalidSchedule e) {
                report.add(item, "calendar " + name + ": " + e.getMessage());
            }
        }
        return new Calendar(name, ranges);
    }

    final class Embedded implements Calendars {
        private Embedded() {}

        @Override
        public Optional<Exclusions> except(Section section) {
            return section.field("except").map(Node.Field::value).map(node -> {
                if (node instanceof Node.Fields fields) {
                    return new Exclusions(fields.fields().stream()
                            .map(field -> calendar(field.key(), field.value(), section.report()))
                            .toList());
                }
                section.report().add(node, "except: " + node.shown() + " is not a map of calendars");
                return Exclusions.NONE;
            });
        }
    }
}
