package io.onbeat.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names that schedules had before: each is that of one schedule, and of none that there is still. */
final class FormerNames {
    private final Map<String, String> places;
    private final List<Former> noted = new ArrayList<>(0);

    private record Former(String name, Node.Field schedule, Report report) {}

    /** {@code places} are those of all schedules by name, as they become known. */
    FormerNames(Map<String, String> places) {
        this.places = places;
    }

    void note(String name, Node.Field schedule, Report report) {
        noted.add(new Former(name, schedule, report));
    }

    /** To be called when all schedules are known. */
    void check() {
        Map<String, String> heirs = new HashMap<>();
        for (Former former : noted) {
            String heir = heirs.putIfAbsent(former.name, former.schedule.key());
            if (places.containsKey(former.name)) {
                add(former, "is a schedule of its own (" + places.get(former.name) + "): remove one of them");
            } else if (heir != null) {
                add(former, "is the former name of " + heir + " already: its history can move to one schedule only");
            }
        }
    }

    private static void add(Former former, String message) {
        Node place = former.schedule.value();
        if (place instanceof Node.Fields fields) {
            place = fields.fields().stream()
                    .filter(field -> field.key().equals("was"))
                    .map(Node.Field::value)
                    .findFirst()
                    .orElse(place);
        }
        former.report.enter(former.schedule.key());
        former.report.add(place, "was: \"" + former.name + "\" " + message);
        former.report.leave();
    }
}
