package io.onbeat.beat.cli;

import io.onbeat.schedule.Instants;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "next",
        description = "Show the next fire times of a schedule or a rule, one UTC instant a line.",
        footer = {
            "",
            "Examples:",
            "  onbeat next settle-points --schedules deploy/examples/schedule.yaml",
            "  onbeat next --cron \"30 1 * * *\" --zone America/New_York --after 2026-10-31T00:00:00Z --count 3",
            "  onbeat next --every 90s",
            "  onbeat next --cron=@hourly"
        })
final class NextCommand extends CliCommand {
    private static final int MOST = 1_000_000;

    private final InstantSource clock = InstantSource.system();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            description = "A schedule of the file that --schedules names.")
    private Optional<String> name;

    @Option(names = "--schedules", paramLabel = "PATH", description = "The schedule file, or a directory of them.")
    private Optional<Path> schedules;

    @Option(
            names = "--cron",
            paramLabel = "EXPR",
            description =
                    "A cron: 5 fields (Unix), 6 or 7 (Quartz), or an alias such as @daily. Several are one schedule.")
    private List<String> crons = new ArrayList<>();

    @Option(names = "--every", paramLabel = "DURATION", description = "An interval, such as 90s, 10m or 1d12h.")
    private Optional<String> every;

    @Option(
            names = "--from",
            paramLabel = "INSTANT",
            description = "With --every: the first fire time, which anchors the others.")
    private Optional<String> from;

    @Option(
            names = "--at",
            paramLabel = "INSTANT",
            description = "One single fire time, such as 2026-12-24T18:00:00+01:00.")
    private Optional<String> at;

    @Option(names = "--zone", paramLabel = "ZONE", description = "The time zone of the crons; UTC when absent.")
    private Optional<String> zone;

    @Option(names = "--after", paramLabel = "INSTANT", description = "Show what is later than this; now when absent.")
    private Optional<String> after;

    @Option(names = "--count", paramLabel = "N", defaultValue = "5", description = "How many to show; 5 when absent.")
    private int count;

    @Override
    void run(Output output) {
        if (count < 1 || count > MOST) {
            throw new UsageError("--count: " + count + " is out of range: use 1 to " + MOST);
        }
        RuleOptions rule = new RuleOptions(name, schedules, crons, every, from, at, zone);
        Function<Instant, Optional<Instant>> next = rule.next();
        Instant start =
                after.map(text -> value("--after", text, Instants::parse)).orElseGet(clock::instant);
        List<Instant> fires = fires(next, start);
        if (fires.isEmpty()) {
            throw new UsageError(rule + " never fires after " + start
                    + " (within 100 years): change it, or give an earlier --after");
        }
        fires.forEach(fire -> output.line(fire.toString()));
        output.json(json -> {
            json.writeStartArray();
            for (Instant fire : fires) {
                json.writeString(fire.toString());
            }
            json.writeEndArray();
        });
    }

    private List<Instant> fires(Function<Instant, Optional<Instant>> next, Instant start) {
        List<Instant> fires = new ArrayList<>();
        Optional<Instant> fire = next.apply(start);
        while (fire.isPresent() && fires.size() < count) {
            fires.add(fire.get());
            fire = next.apply(fire.get());
        }
        return fires;
    }
}
