package io.onbeat.beat.cli;

import io.onbeat.beat.fire.Pausing;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "skip",
        description = "Skip the next fire of a schedule, or the next few. Asked again, it skips those after them too.",
        footer = {"", "Example:", "  onbeat skip settle-points --count 2"})
final class SkipCommand extends LedgerCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The schedule.")
    private String name;

    @Option(names = "--count", paramLabel = "N", defaultValue = "1", description = "How many fires; 1 when absent.")
    private int count;

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        if (count < 1 || count > 10_000) {
            throw new UsageError("--count " + count + " is out of range: use 1 to 10000");
        }
        Pausing.Skipped skipped = new Pausing(ledger)
                .skipNext(name, count, actor())
                .orElseThrow(() -> KnownSchedules.missing(ledger, name));
        Instant last = skipped.last()
                .orElseThrow(
                        () -> new Failed(name + " has fewer than " + count + " fires left: onbeat pause stops all"));
        output.line(name + " skips its fires up to " + last);
        output.answer(new Fields().add("schedule", name).add("skip_to", last).values());
    }
}
