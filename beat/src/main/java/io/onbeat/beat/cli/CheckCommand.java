package io.onbeat.beat.cli;

import io.onbeat.schedule.Problem;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleErrors;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.schedule.ScheduleSet;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Check a schedule file, or a directory of them, and show when each schedule fires next.",
        footer = {
            "",
            "Examples:",
            "  onbeat check deploy/examples/schedule.yaml",
            "  onbeat check --diff deploy/examples/schedule.yaml",
            "  onbeat check --tasks my-tasks/jars deploy/examples/schedule.yaml"
        })
final class CheckCommand extends CliCommand {
    private final InstantSource clock = InstantSource.system();

    @Parameters(index = "0", paramLabel = "FILE", description = "A YAML file, or a directory of .yaml and .yml files.")
    private Path file;

    @Option(
            names = "--diff",
            description = "Show what it would change of the schedules in force, instead. This asks the ledger.")
    private boolean diff;

    @Option(
            names = "--tasks",
            paramLabel = "FOLDER",
            description =
                    "Check each schedule's args by its task as well, which is looked for in this folder of jars; it is"
                            + " ONBEAT_TASKS_DIR or the examples when absent, where they are built. The launcher ./onbeat does that.")
    private Optional<Path> tasks;

    @Override
    void run(Output output) throws Exception {
        if (tasks.isPresent()) {
            throw new UsageError("--tasks: a beat has no tasks; call ./onbeat check --tasks, beside a worker's jar");
        }
        ScheduleSet schedules = load(output);
        if (diff) {
            AtLedger.run(
                    environment(), (ledger, servers) -> DiffReport.print(ScheduleDiff.of(ledger, schedules), output));
        } else {
            printSchedules(schedules, output);
        }
    }

    private ScheduleSet load(Output output) {
        try {
            return ScheduleFile.load(file);
        } catch (ScheduleErrors errors) {
            printProblems(errors, output);
            throw errors;
        }
    }

    private void printSchedules(ScheduleSet schedules, Output output) {
        Instant now = clock.instant();
        Table table = new Table("SCHEDULE", "WHEN", "ZONE", "TASK", "QUEUE", "NEXT FIRE");
        schedules.all().forEach(schedule -> addRow(table, schedule, now));
        table.lines().forEach(output::line);
        output.line("");
        output.line(schedules.size() == 1 ? "1 schedule, all valid" : schedules.size() + " schedules, all valid");
        output.json(json -> {
            json.writeStartObject();
            json.writeBooleanField("valid", true);
            json.writeFieldName("schedules");
            table.write(json);
            json.writeEndObject();
        });
    }

    private static void addRow(Table table, Schedule schedule, Instant now) {
        table.row(
                schedule.name(),
                schedule.timing().rule().text(),
                schedule.zone(),
                schedule.task(),
                schedule.queue(),
                NextFire.of(schedule, now));
    }

    private static void printProblems(ScheduleErrors errors, Output output) {
        if (errors.problems().size() > 1) {
            errors.problems().forEach(problem -> output.line(problem.toString()));
        }
        Table table = new Table("FILE", "LINE", "COLUMN", "SCHEDULE", "MESSAGE");
        for (Problem problem : errors.problems()) {
            table.row(problem.file(), problem.line(), problem.column(), problem.schedule(), problem.message());
        }
        output.json(json -> {
            json.writeStartObject();
            json.writeBooleanField("valid", false);
            json.writeFieldName("problems");
            table.write(json);
            json.writeEndObject();
        });
    }
}
