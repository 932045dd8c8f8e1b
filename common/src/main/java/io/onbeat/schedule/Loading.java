package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One load of a schedule file or a directory: a name may be given once in all of it. */
final class Loading {
    private static final Set<String> TOP_KEYS = Set.of("timezone", "defaults", "schedules");
    private static final Set<String> LATER_TOP_KEYS = Set.of("calendars");

    private final Map<String, Schedule> schedules = new LinkedHashMap<>();
    private final Map<String, String> places = new HashMap<>();

    Collection<Schedule> schedules() {
        return schedules.values();
    }

    void read(Path file, Report report) {
        try (Reader text = Files.newBufferedReader(file);
                JsonParser tokens = Yaml.parser(text)) {
            Optional<Node> document = new NodeReader(tokens).read();
            if (document.isEmpty()) {
                report.add(0, 0, "is empty: it needs at least schedules: {}");
            }
            document.ifPresent(node -> readTop(file, node, report));
        } catch (MalformedFile e) {
            report.add(e.line(), e.column(), e.getMessage());
        } catch (AccessDeniedException e) {
            report.add(0, 0, "cannot be read: permission denied");
        } catch (IOException e) {
            MalformedFile malformed = Yaml.malformed(e);
            report.add(malformed.line(), malformed.column(), malformed.getMessage());
        }
    }

    private void readTop(Path file, Node document, Report report) {
        if (!(document instanceof Node.Fields fields)) {
            report.add(document, document.shown() + " is not a map: the file needs schedules: {NAME: {…}}");
            return;
        }
        Section top = new Section(fields, report, TOP_KEYS, LATER_TOP_KEYS);
        Settings defaults = defaults(top, report);
        if (!top.has("schedules")) {
            report.add(document, "has no schedules: it needs at least schedules: {}");
        }
        top.field("schedules").ifPresent(field -> readSchedules(file, field.value(), defaults, report));
    }

    private static Settings defaults(Section top, Report report) {
        Settings zoned = Settings.BUILT_IN.withZone(top.parsed("timezone", Zones::parse));
        return top.read("defaults", node -> {
                    if (node instanceof Node.Fields fields) {
                        return zoned.overriddenBy(new Section(fields, report, Settings.KEYS, Set.of()), report);
                    }
                    throw new InvalidSchedule(node.shown() + " is not a map: write {queue: default, timeout: 5m}");
                })
                .orElse(zoned);
    }

    private void readSchedules(Path file, Node node, Settings defaults, Report report) {
        if (!(node instanceof Node.Fields fields)) {
            report.add(
                    node,
                    "schedules: " + node.shown() + " is not a map: write {NAME: {cron: \"0 2 * * *\", task: NAME}}");
            return;
        }
        for (Node.Field field : fields.fields()) {
            report.enter(field.key());
            readSchedule(file, field, defaults, report);
            report.leave();
        }
    }

    private void readSchedule(Path file, Node.Field field, Settings defaults, Report report) {
        String first = places.putIfAbsent(field.key(), file + ":" + field.line());
        if (first != null) {
            report.add(field.line(), field.column(), "duplicate name: " + first + " has it already");
        }
        try {
            Names.check("schedule", field.key());
        } catch (InvalidSchedule e) {
            report.add(field.line(), field.column(), e.getMessage());
            return;
        }
        SpecReader.read(field.key(), field.value(), defaults, report)
                .ifPresent(schedule -> schedules.put(schedule.name(), schedule));
    }
}
