package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.LastRuns;
import io.onbeat.ledger.LastRuns.LastRun;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(
        name = "schedules",
        description = {
            "List the schedules of the ledger: when each fires next, and what became of its last run.",
            "Every fire time up to the watermark has been judged: it became a run or a skip."
        },
        footer = {"", "Example:", "  onbeat schedules --json"})
final class SchedulesCommand extends LedgerCommand {

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        List<Schedules.Row> rows;
        Map<Integer, LastRun> last;
        try (Connection connection = ledger.connection()) {
            rows = Schedules.all(connection);
            last = LastRuns.bySchedule(connection);
        }
        Instant now = ledger.now();
        Table table = new Table(
                "SCHEDULE", "RULE", "ZONE", "TASK", "STATE", "NEXT FIRE", "LAST RUN", "LAST STATE", "WATERMARK");
        List<Object> answer = new ArrayList<>();
        for (Schedules.Row row : rows) {
            Schedule spec = Schedule.fromJson(row.name(), row.spec());
            Optional<LastRun> run = Optional.ofNullable(last.get(row.id()));
            Instant from = row.skipTo().filter(now::isBefore).orElse(now);
            Optional<Instant> next = spec.enabled() && !row.removed() ? spec.nextNotExcluded(from) : Optional.empty();
            String state = state(row, spec, next);
            table.row(
                    row.name(),
                    spec.timing().rule().text(),
                    spec.zone(),
                    spec.task(),
                    state,
                    next,
                    run.map(LastRun::fireAt),
                    run.map(r -> r.state().word()),
                    Shown.second(row.watermark()));
            answer.add(fields(row, spec, state, next, run).values());
        }
        output.people(table, "no schedules: a beat writes those of its schedule file");
        output.answer(answer);
    }

    private static String state(Schedules.Row row, Schedule spec, Optional<Instant> next) {
        if (row.removed()) {
            return "removed";
        }
        if (!spec.enabled()) {
            return "disabled";
        }
        if (row.pausedAt().isPresent()) {
            return "paused";
        }
        return next.isEmpty() ? "finished" : "active";
    }

    private static Fields fields(
            Schedules.Row row, Schedule spec, String state, Optional<Instant> next, Optional<LastRun> run) {
        return new Fields()
                .add("name", row.name())
                .add("rule", spec.timing().rule().text())
                .add("zone", spec.zone())
                .add("task", spec.task())
                .add("queue", spec.queue())
                .add("state", state)
                .add("next_fire", next)
                .add(
                        "last_run",
                        run.map(r -> new Fields()
                                .add("key", r.key())
                                .add("state", r.state().word())
                                .add("fire_at", r.fireAt())
                                .add("started_at", r.startedAt())
                                .add("finished_at", r.finishedAt())
                                .values()))
                .add("watermark", row.watermark())
                .add("paused_at", row.pausedAt())
                .add("removed", row.removed())
                .add("spec", new JsonValue.Raw(row.spec()));
    }
}
