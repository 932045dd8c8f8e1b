package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.History;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List dead runs, newest first.",
        footer = {"", "Example:", "  onbeat dead list --error \"connection refused\""})
final class DeadListCommand extends LedgerCommand {
    private static final int ERROR_WIDTH = 80;

    @Option(names = "--schedule", paramLabel = "NAME", description = "Only runs of this schedule.")
    private Optional<String> schedule;

    @Option(names = "--error", paramLabel = "TEXT", description = "Only runs whose error has this text in it.")
    private Optional<String> error;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many to list; 20 when absent.")
    private int limit;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        Limit.check(limit);
        List<RunView> found;
        try (Connection connection = ledger.connection()) {
            found = History.runs(
                    connection,
                    new History.Filter(schedule, Optional.of(RunState.DEAD), Optional.empty(), error, limit + 1));
            if (found.isEmpty() && schedule.isPresent()) {
                KnownSchedules.check(connection, "--schedule: ", schedule.get());
            }
        }
        List<RunView> runs = found.subList(0, Math.min(limit, found.size()));
        Table table = new Table("KEY", "TASK", "ATTEMPTS", "DIED AT", "ERROR");
        for (RunView run : runs) {
            table.row(
                    run.key(),
                    run.task(),
                    run.attempt(),
                    Shown.second(run.finishedAt()),
                    RunFields.error(run).map(text -> Printable.brief(text, ERROR_WIDTH)));
        }
        output.people(table, "no dead runs");
        Limit.tell(output, limit, found.size());
        output.answer(runs.stream().map(run -> RunFields.of(run).values()).toList());
    }
}
