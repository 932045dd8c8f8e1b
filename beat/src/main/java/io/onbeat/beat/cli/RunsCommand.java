package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.History;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "runs",
        description = "List runs, newest first.",
        footer = {
            "",
            "Examples:",
            "  onbeat runs --schedule settle-points --since 1h",
            "  onbeat runs --state dead --error timeout --limit 100 --json"
        })
final class RunsCommand extends LedgerCommand {
    private static final int ERROR_WIDTH = 60;

    @Option(names = "--schedule", paramLabel = "NAME", description = "Only runs of this schedule.")
    private Optional<String> schedule;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "Only runs in this state: waiting, queued, running, retrying, succeeded, skipped, dead, cancelled or"
                            + " expired.")
    private Optional<String> state;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Only runs that were due at this instant or later; 1h means an hour ago.")
    private Optional<String> since;

    @Option(names = "--error", paramLabel = "TEXT", description = "Only runs whose error has this text in it.")
    private Optional<String> error;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "How many to list; 20 when absent.")
    private int limit;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        Limit.check(limit);
        Optional<RunState> wanted = state.map(word -> value("--state", word, RunsCommand::state));
        Optional<Since> from = since.map(text -> value("--since", text, Since::parse));
        Optional<Instant> start = from.isPresent() ? Optional.of(from.get().on(ledger)) : Optional.empty();
        List<RunView> found;
        List<String> waiting;
        try (Connection connection = ledger.connection()) {
            found = History.runs(connection, new History.Filter(schedule, wanted, start, error, limit + 1));
            waiting = WaitingFor.lines(connection, found.subList(0, Math.min(limit, found.size())));
            if (found.isEmpty() && schedule.isPresent()) {
                KnownSchedules.check(connection, "--schedule: ", schedule.get());
            }
        }
        List<RunView> runs = found.subList(0, Math.min(limit, found.size()));
        print(output, runs);
        waiting.forEach(output::line);
        Limit.tell(output, limit, found.size());
        output.answer(runs.stream().map(run -> RunFields.of(run).values()).toList());
    }

    private static RunState state(String word) {
        try {
            return RunState.of(word);
        } catch (IllegalArgumentException unknown) {
            throw new UsageError("--state: " + unknown.getMessage());
        }
    }

    private static void print(Output output, List<RunView> runs) {
        Table table = new Table("KEY", "STATE", "ATTEMPT", "STARTED AT", "LATE", "TOOK", "WORKER", "ERROR");
        for (RunView run : runs) {
            table.row(
                    run.key(),
                    run.state().word(),
                    run.attempt(),
                    Shown.second(run.startedAt()),
                    RunFields.lateness(run).map(Shown::duration),
                    RunFields.took(run).map(Shown::duration),
                    run.worker(),
                    RunFields.error(run).map(text -> Printable.brief(text, ERROR_WIDTH)));
        }
        output.people(table, "no runs");
    }
}
