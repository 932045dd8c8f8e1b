package io.onbeat.beat.cli;

import io.onbeat.beat.fire.Backfill;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Audit;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Instants;
import io.onbeat.schedule.Overlap;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "backfill",
        description = {
            "Run the fire times of a span that is past, but for those that a calendar takes out. Each has its nominal run"
                    + " key, so what was run is not run again; a backfill that was stopped with Ctrl-C may be asked for"
                    + " again. What was due and not judged yet is judged first, as the schedule says."
        },
        footer = {
            "",
            "Example:",
            "  onbeat backfill daily-report --from 2026-07-01T00:00:00Z --to 2026-07-08T00:00:00Z --dry-run"
        })
final class BackfillCommand extends LedgerCommand {
    private static final int MOST_AT_ONCE = 100;

    @Parameters(index = "0", paramLabel = "NAME", description = "The schedule.")
    private String name;

    @Option(names = "--from", required = true, paramLabel = "INSTANT", description = "The first fire time, inclusive.")
    private String from;

    @Option(names = "--to", required = true, paramLabel = "INSTANT", description = "Where it ends, exclusive.")
    private String to;

    @Option(names = "--dry-run", description = "List the fire times, and run nothing.")
    private boolean dryRun;

    @Option(
            names = "--overlap",
            paramLabel = "HOW",
            description =
                    "allow: all at once; queue: one at a time, in order. When absent, as the schedule: in order where"
                            + " its runs may not overlap.")
    private Optional<String> overlap;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50",
            description = "At most so many runs a second; 50 when absent.")
    private int rate;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException, InterruptedException {
        Instant first = value("--from", from, Instants::parse);
        Instant end = value("--to", to, Instants::parse);
        if (rate < 1 || rate > 10_000) {
            throw new UsageError("--rate " + rate + " is out of range: use 1 to 10000");
        }
        Schedule spec = spec(ledger, first, end);
        Backfill backfill = new Backfill(ledger, spec, how(spec));
        if (dryRun) {
            list(output, backfill, first, end);
        } else {
            fill(output, ledger, backfill, first, end);
        }
    }

    private Schedule spec(Ledger ledger, Instant first, Instant end) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Schedules.Row row = Schedules.named(connection, List.of(name)).stream()
                    .filter(found -> !found.removed())
                    .findFirst()
                    .orElseThrow(() -> KnownSchedules.missing(ledger, name));
            Instant now = Ledger.now(connection);
            if (!first.isBefore(end)) {
                throw new UsageError("--from " + from + " is not before --to " + to + ": swap or mend them");
            }
            if (end.isAfter(now)) {
                throw new UsageError(
                        "--to " + to + " lies ahead: a backfill runs what is past, up to now (" + now + ")");
            }
            return Schedule.fromJson(name, row.spec());
        }
    }

    private Overlap how(Schedule spec) {
        return overlap.map(text -> switch (text) {
                    case "allow" -> Overlap.ALLOW;
                    case "queue" -> Overlap.QUEUE;
                    default -> throw new UsageError("--overlap \"" + text + "\" is not known: use allow or queue");
                })
                .orElseGet(() -> Backfill.overlapOf(spec));
    }

    private static void list(Output output, Backfill backfill, Instant first, Instant end) {
        Table table = new Table("FIRE AT");
        Instant from = first;
        List<Instant> times = backfill.fireTimes(from, end, MOST_AT_ONCE);
        while (!times.isEmpty()) {
            times.forEach(table::row);
            times = backfill.fireTimes(times.get(times.size() - 1).plusNanos(1), end, MOST_AT_ONCE);
        }
        output.table(table);
    }

    private void fill(Output output, Ledger ledger, Backfill backfill, Instant first, Instant end)
            throws SQLException, InterruptedException {
        ledger.transaction(connection -> {
            Audit.record(connection, actor(), "backfill", name, null);
            return null;
        });
        Instant from = first;
        long taken = 0;
        long created = 0;
        List<Instant> times = backfill.fireTimes(from, end, Math.min(rate, MOST_AT_ONCE));
        while (!times.isEmpty()) {
            Backfill.Step step = backfill.run(times);
            if (step.taken() > 0) {
                from = times.get(step.taken() - 1).plusNanos(1);
            }
            taken += step.taken();
            created += step.created();
            output.line(taken + " fire times up to " + from.minusNanos(1) + ", " + created + " of them new");
            output.flush();
            TimeUnit.MILLISECONDS.sleep(Math.max(1_000L * step.created() / rate, step.taken() == 0 ? 1_000 : 0));
            times = backfill.fireTimes(from, end, Math.min(rate, MOST_AT_ONCE));
        }
        output.line(taken + " fire times, " + created + " new runs; " + (taken - created) + " have a run already");
        output.answer(new Fields()
                .add("schedule", name)
                .add("fire_times", taken)
                .add("created", created)
                .values());
    }
}
