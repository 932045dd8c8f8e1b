package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Workers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "workers",
        description = {
            "List the workers as they last reported themselves, with what each has done since it started.",
            "Silent: not stopped in good order, and not heard of for 15 seconds (three lease renewals)."
        },
        footer = {"", "Example:", "  onbeat workers"})
final class WorkersCommand extends LedgerCommand {
    private static final Duration SILENT = Duration.ofSeconds(15);
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException, IOException {
        List<Workers.Row> rows;
        try (Connection connection = ledger.connection()) {
            rows = Workers.all(connection);
        }
        Table table = new Table(
                "WORKER", "STATE", "QUEUES", "RUNNING", "CLAIMED", "SUCCEEDED", "FAILED", "DUPLICATES", "LOST", "SEEN");
        for (Workers.Row row : rows) {
            table.row(
                    row.identity().id(),
                    state(row),
                    queues(row.identity().queues()),
                    row.counts().running(),
                    row.counts().claimed(),
                    row.counts().succeeded(),
                    row.counts().failed(),
                    row.counts().duplicates(),
                    row.counts().lost(),
                    Shown.duration(row.silence().truncatedTo(ChronoUnit.SECONDS)) + " ago");
        }
        output.people(table, "no workers have reported yet");
        output.answer(rows.stream().map(row -> fields(row).values()).toList());
    }

    private static String state(Workers.Row row) {
        boolean silent = !row.state().equals("stopped") && row.silence().compareTo(SILENT) > 0;
        return silent ? "silent" : row.state();
    }

    // {"default":8,"web":4} as default:8 web:4
    private static String queues(String json) throws IOException {
        List<String> slots = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(json)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME) {
                    String queue = parser.currentName();
                    parser.nextToken();
                    slots.add(queue + ":" + parser.getText());
                }
            }
        }
        return String.join(" ", slots);
    }

    private static Fields fields(Workers.Row row) {
        Workers.Identity identity = row.identity();
        Workers.Counts counts = row.counts();
        return new Fields()
                .add("id", identity.id())
                .add("state", state(row))
                .add("host", identity.host())
                .add("pid", identity.pid())
                .add("version", identity.version())
                .add("queues", new JsonValue.Raw(identity.queues()))
                .add("tasks", new JsonValue.Raw(identity.tasks()))
                .add("started_at", row.startedAt())
                .add("seen_at", row.seenAt())
                .add("silence_ms", row.silence())
                .add("running", counts.running())
                .add("claimed", counts.claimed())
                .add("succeeded", counts.succeeded())
                .add("failed", counts.failed())
                .add("duplicates", counts.duplicates())
                .add("lost", counts.lost());
    }
}
