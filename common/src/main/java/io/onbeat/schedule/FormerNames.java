package io.onbeat.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names that schedules had before: each is that of one schedule, and of none that there is still. */
final class FormerNames {
    private final Map<String, String> places;
    private final List<Former> noted = new ArrayList<>(0);

    private record Former(String name, String schedule, int line, int column, Report report) {}

    /** {@code places} are those of all schedules by name, as they become known. */
    FormerNames(Map<String, String> places) {
        this.places = places;
    }

    void note(Schedule schedule, Node node, Report report) {
        Node place = place(node);
        schedule.was()
                .ifPresent(name -> noted.add(new Former(name, schedule.name(), place.line(), place.column(), report)));
    }

    private static Node place(Node schedule) {
        return schedule instanceof Node.Fields fields
                ? fields.fields().stream()
                        .filter(field -> field.key().equals("was"))
                        .map(Node.Field::value)
                        .findFirst()
                        .orElse(schedule)
                : schedule;
    }

    /** To be called when all schedules are known. */
    void check() {
        Map<String, String> heirs = new HashMap<>();
        for (Former former : noted) {
            String heir = heirs.putIfAbsent(former.name, former.schedule);
            if (places.containsKey(former.name)) {
                add(former, "is a schedule of its own (" + places.get(former.name) + "): remove one of them");
            } else if (heir != null) {
                add(former, "is the former name of " + heir + " already: its history can move to one schedule only");
            }
        }
    }

    private static void add(Former former, String message) {
        former.report.enter(former.schedule);
        former.report.add(former.line, former.column, "was: \"" + former.name + "\" " + message);
        former.report.leave();
    }
}
