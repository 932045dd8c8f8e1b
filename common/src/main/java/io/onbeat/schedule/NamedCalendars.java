package io.onbeat.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The calendars of one load, of all its files together: {@code except} names them. */
final class NamedCalendars implements Calendars {
    private final Map<String, Calendar> calendars = new HashMap<>();
    private final NamedEntries entries = new NamedEntries("calendars", "calendar", "{NAME: [2027-01-01]}");

    /** Reads the {@code calendars} of a file. */
    void read(String file, Node node, Report report) {
        // one with a wrong date is known all the same: what names it is right
        entries.read(
                file,
                node,
                report,
                field -> calendars.put(field.key(), Calendars.calendar(field.key(), field.value(), report)));
    }

    @Override
    public Optional<Exclusions> except(Section section) {
        return section.field("except")
                .flatMap(field -> section.each("except", namesOf(field.value()), this::find))
                .map(Exclusions::new);
    }

    private static List<Node> namesOf(Node node) {
        return node instanceof Node.Items items ? items.values() : List.of(node);
    }

    private Calendar find(Node node) {
        if (node instanceof Node.Fields) {
            throw new InvalidSchedule("a map is not a list of calendars: write [NAME], and its dates under calendars");
        }
        String name = Section.asText(node);
        return Optional.ofNullable(calendars.get(name))
                .orElseThrow(() -> new InvalidSchedule("no calendar \"" + Quoted.oneLine(name) + "\"" + advice(name)));
    }

    private String advice(String name) {
        String hint = Nearest.hint(name, calendars.keySet());
        if (!hint.isEmpty()) {
            return hint;
        }
        return calendars.isEmpty()
                ? ": write calendars: {NAME: [2027-01-01]} and its name here"
                : "; known are "
                        + String.join(", ", calendars.keySet().stream().sorted().toList());
    }
}
