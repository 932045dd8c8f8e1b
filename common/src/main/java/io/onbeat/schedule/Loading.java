package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;

/**
 * One load of a schedule file or a directory: a schedule's name is given once in all of it, and a calendar of one file serves
 * them all. So the calendars of all files are read first, then the schedules.
 */
final class Loading {
    private static final Node.Field READ = new Node.Field("", new Node.Literal("null", 0, 0), 0, 0);

    private final Map<String, Schedule> schedules = new LinkedHashMap<>();
    private final Map<String, String> places = new HashMap<>();
    private final NamedCalendars calendars = new NamedCalendars();
    private final TaskLimitsReader tasks = new TaskLimitsReader();
    private final FormerNames formerNames = new FormerNames(places);
    private final List<Report> reports = new ArrayList<>();

    private record Document(Path file, Section top, Report report) {}

    private Loading() {}

    /** @throws ScheduleErrors with all problems at once */
    static ScheduleSet of(List<Path> files) {
        Loading loading = new Loading();
        List<Document> documents =
                files.stream().flatMap(file -> loading.open(file).stream()).toList();
        documents.forEach(loading::readCalendars);
        documents.forEach(loading::readTasks);
        documents.forEach(loading::readSchedules);
        loading.formerNames.check();
        List<Problem> problems = loading.reports.stream()
                .flatMap(report -> report.problems().stream())
                .toList();
        if (!problems.isEmpty()) {
            throw new ScheduleErrors(problems);
        }
        return new ScheduleSet(loading.schedules.values(), loading.tasks.limits());
    }

    private Optional<Document> open(Path file) {
        Report report = new Report(file.toString());
        reports.add(report);
        try (Reader text = Files.newBufferedReader(file);
                JsonParser tokens = Yaml.parser(text)) {
            Optional<Node> document = new NodeReader(tokens).read();
            if (document.isEmpty()) {
                report.add(0, 0, "is empty: it needs at least schedules: {}");
            }
            return document.flatMap(node -> top(node, report)).map(top -> new Document(file, top, report));
        } catch (MalformedFile e) {
            report.add(e.line(), e.column(), e.getMessage());
        } catch (AccessDeniedException e) {
            report.add(0, 0, "cannot be read: permission denied");
        } catch (IOException e) {
            MalformedFile malformed = Yaml.malformed(e);
            report.add(malformed.line(), malformed.column(), malformed.getMessage());
        }
        return Optional.empty();
    }

    private static Optional<Section> top(Node document, Report report) {
        if (!(document instanceof Node.Fields fields)) {
            report.add(document, document.shown() + " is not a map: the file needs schedules: {NAME: {…}}");
            return Optional.empty();
        }
        Section top = new Section(fields, report, Keys.TOP.names());
        if (!top.has("schedules") && !top.has("calendars") && !top.has("tasks")) {
            report.add(document, "has no schedules: it needs at least schedules: {}");
        }
        return Optional.of(top);
    }

    private void readCalendars(Document document) {
        document.top
                .field("calendars")
                .ifPresent(field -> calendars.read(document.file.toString(), field.value(), document.report));
    }

    private void readTasks(Document document) {
        document.top
                .field("tasks")
                .ifPresent(field -> tasks.read(document.file.toString(), field.value(), document.report));
    }

    private void readSchedules(Document document) {
        Settings defaults = defaults(document.top, document.report);
        document.top
                .field("schedules")
                .ifPresent(field -> readSchedules(document.file, field.value(), defaults, document.report));
    }

    private Settings defaults(Section top, Report report) {
        Settings zoned = Settings.BUILT_IN.withZone(top.parsed("timezone", Zones::parse));
        return top.read("defaults", node -> {
                    if (node instanceof Node.Fields fields) {
                        return zoned.overriddenBy(
                                new Section(fields, report, Keys.DEFAULTS.names()), calendars, report);
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
        ListIterator<Node.Field> each = fields.fields().listIterator();
        while (each.hasNext()) {
            Node.Field field = each.next();
            // what was read makes room for what is made of it: 100,000 schedules are large twice
            each.set(READ);
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
        SpecReader.read(field.key(), field.value(), defaults, calendars, report).ifPresent(schedule -> {
            schedules.put(schedule.name(), schedule);
            formerNames.note(schedule, field.value(), report);
        });
    }
}
