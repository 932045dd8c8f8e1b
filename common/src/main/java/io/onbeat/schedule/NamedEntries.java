package io.onbeat.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A map from names at the top of the schedule files, read from all files of a load together: each name once. */
final class NamedEntries {
    private final String section;
    private final String kind;
    private final String example;
    private final Map<String, String> places = new HashMap<>();

    /**
     * @param kind what one entry is, as people say it
     * @param example one entry, as people write it
     */
    NamedEntries(String section, String kind, String example) {
        this.section = section;
        this.kind = kind;
        this.example = example;
    }

    /** Reads a file's entries, but for those whose names are wrong or taken. */
    void read(String file, Node node, Report report, Consumer<Node.Field> entry) {
        if (!(node instanceof Node.Fields fields)) {
            report.add(node, section + ": " + node.shown() + " is not a map: write " + example);
            return;
        }
        for (Node.Field field : fields.fields()) {
            String first = places.putIfAbsent(field.key(), file + ":" + field.line());
            if (first != null) {
                report.add(
                        field.line(),
                        field.column(),
                        "duplicate " + kind + " \"" + Quoted.oneLine(field.key()) + "\": " + first + " has it already");
                continue;
            }
            try {
                Names.check(kind, field.key());
                entry.accept(field);
            } catch (InvalidSchedule e) {
                report.add(field.line(), field.column(), e.getMessage());
            }
        }
    }
}
