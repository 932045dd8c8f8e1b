package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads one schedule's map of keys, from a file or from the ledger. */
final class SpecReader {
    static final List<String> RULES = List.of("cron", "every", "at");

    private SpecReader() {}

    @FunctionalInterface
    interface Part<T> {
        Optional<T> read(Node node, Report report);
    }

    /** Reads JSON that stands for a part of a schedule; the first problem is thrown. */
    static <T> T strict(String json, Part<T> part) {
        Report report = new Report("");
        try (JsonParser tokens = Json.FACTORY.createParser(json)) {
            Node node = new NodeReader(tokens).read().orElseThrow(() -> new InvalidSchedule("the JSON text is empty"));
            Optional<T> value = part.read(node, report);
            if (value.isPresent() && report.size() == 0) {
                return value.get();
            }
            throw new InvalidSchedule(report.problems().get(0).message());
        } catch (IOException | MalformedFile e) {
            throw new InvalidSchedule("not valid JSON: " + Quoted.oneLine(e.getMessage()));
        }
    }

    /** The schedule, or nothing when the report has got problems with it. */
    static Optional<Schedule> read(String name, Node node, Settings defaults, Calendars calendars, Report report) {
        int before = report.size();
        if (!(node instanceof Node.Fields fields)) {
            report.add(node, node.shown() + " is not a map: write {cron: \"0 2 * * *\", task: NAME}");
            return Optional.empty();
        }
        Section section = new Section(fields, report, Keys.SCHEDULE.names());
        Settings settings = defaults.overriddenBy(section, calendars, report);
        Optional<String> was = section.parsed("was", former -> former(name, former));
        Optional<Timing> timing = timing(section, settings, fields, report);
        Optional<Work> work = work(section, settings, fields, report);
        About about = about(section);
        return report.size() > before || timing.isEmpty() || work.isEmpty()
                ? Optional.empty()
                : Optional.of(new Schedule(
                        Names.check("schedule", name),
                        was,
                        timing.get(),
                        work.get(),
                        settings.policy(),
                        settings.alert(),
                        about));
    }

    private static Optional<Timing> timing(Section section, Settings settings, Node.Fields fields, Report report) {
        List<String> given = RULES.stream().filter(section::has).toList();
        Optional<Instant> from = section.instant("from");
        Optional<Instant> until = section.instant("until");
        boolean enabled = section.flag("enabled").orElse(true);
        if (given.size() != 1) {
            report.add(
                    fields,
                    given.isEmpty()
                            ? "has no rule: give one of cron, every or at"
                            : "has " + String.join(" and ", given) + ": give only one of them");
            return Optional.empty();
        }
        if (given.get(0).equals("at") && section.has("from")) {
            section.read("from", node -> {
                throw new InvalidSchedule("has no meaning beside at: remove it");
            });
        }
        return rule(section)
                .flatMap(rule ->
                        section.read(given.get(0), node -> Timing.of(rule, settings.zone(), from, until, enabled)));
    }

    private static Optional<Rule> rule(Section section) {
        Optional<Rule> cron = section.field("cron")
                .flatMap(field -> section.each("cron", itemsOf(field.value()), SpecReader::cron))
                .map(Rule.Cron::new);
        Optional<Rule> every = section.read("every", SpecReader::period).map(Rule.Every::new);
        Optional<Rule> at = section.instant("at").map(Rule.At::new);
        return Stream.of(cron, every, at).flatMap(Optional::stream).findFirst();
    }

    private static List<Node> itemsOf(Node node) {
        return node instanceof Node.Items items ? items.values() : List.of(node);
    }

    private static String cron(Node node) {
        String text = Section.asText(node);
        CronParser.parse(text);
        return text;
    }

    private static Duration period(Node node) {
        Duration period = Section.asDuration(node);
        EveryTimes.wholeSeconds(period);
        return period;
    }

    private static Optional<Work> work(Section section, Settings settings, Node.Fields fields, Report report) {
        Optional<String> task = section.parsed("task", name -> Names.check("task", name));
        if (!section.has("task")) {
            report.add(fields, "has no task: give the name of the code to run, such as task: http");
        }
        String args = section.read("args", node -> ArgsJson.of(node, report)).orElse("{}");
        return task.map(name -> new Work(name, args, settings.queue(), settings.timeout(), settings.retry()));
    }

    private static String former(String name, String former) {
        if (former.equals(name)) {
            throw new InvalidSchedule("\"" + former + "\" is the name that it has: remove it");
        }
        return Names.check("schedule", former);
    }

    private static About about(Section section) {
        return new About(
                section.text("description").orElse(""),
                section.text("owner").orElse(""),
                section.list("tags", Section::asText).orElse(List.of()));
    }
}
