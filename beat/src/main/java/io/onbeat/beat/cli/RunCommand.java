package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.History;
import io.onbeat.ledger.History.AttemptView;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        description = "Show all of one run: where it stands, its times, and each failed attempt with its error.",
        footer = {"", "Example:", "  onbeat run settle-points@2026-07-14T02:00:00Z"})
final class RunCommand extends LedgerCommand {
    @Parameters(index = "0", paramLabel = "KEY", description = "The run key, as onbeat runs lists it.")
    private String key;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        try (Connection connection = ledger.connection()) {
            RunView run = KnownRuns.get(connection, key);
            Fields fields = RunFields.of(run).addAll(fields(History.terms(connection, run.id())));
            List<AttemptView> attempts = History.attempts(connection, run.id());
            fields.print(output);
            attempts.forEach(attempt -> print(output, attempt));
            output.answer(fields.add(
                            "attempts",
                            attempts.stream()
                                    .map(attempt -> fields(attempt).values())
                                    .toList())
                    .values());
        }
    }

    private static Fields fields(History.Terms terms) {
        return new Fields()
                .add("timeout_ms", terms.timeout())
                .add("retry", terms.retry().map(JsonValue.Raw::new))
                .add("expires_at", terms.expiresAt())
                .add("lease_until", terms.leaseUntil())
                .add("progress", terms.progress().map(JsonValue.Raw::new))
                .add("trace_id", terms.traceId());
    }

    private static Fields fields(AttemptView attempt) {
        return new Fields()
                .add("attempt", attempt.attempt())
                .add("outcome", attempt.outcome())
                .add("worker", attempt.worker())
                .add("started_at", attempt.startedAt())
                .add("finished_at", attempt.finishedAt())
                .add("error_class", attempt.errorClass())
                .add("error_message", attempt.errorMessage())
                .add("stack_trace", attempt.stackTrace());
    }

    private static void print(Output output, AttemptView attempt) {
        output.line("");
        output.line("attempt " + attempt.attempt() + " " + attempt.outcome().replace('_', ' ') + " at "
                + attempt.finishedAt()
                + attempt.worker().map(worker -> " on " + worker).orElse(""));
        attempt.stackTrace()
                .or(() -> attempt.errorMessage()
                        .map(message -> attempt.errorClass().map(c -> c + ": ").orElse("") + message))
                .ifPresent(text -> text.lines().forEach(line -> output.line("  " + line)));
    }
}
