package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Row;
import io.onbeat.task.Rows;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A request for each row, while the row is locked; sent again when what follows it fails, under the same key. */
final class RowHttp implements RowStep {
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE");
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private final ObjectNode request;
    private final Rows rows;
    private final TaskContext context;
    private final HttpCaller caller;
    private Optional<Duration> wish = Optional.empty();

    /** @param request as the {@code http} task takes it, with {@code ${row:column}} in the texts of url, headers and body */
    RowHttp(ObjectNode request, Rows rows, TaskContext context, HttpCaller caller) {
        this.request = request;
        this.rows = rows;
        this.context = context;
        this.caller = caller;
    }

    @Override
    public Optional<String> unknownColumn(List<String> columns) {
        Optional<String> unknown = RowTexts.names(request).stream()
                .filter(name -> !columns.contains(name))
                .findFirst()
                .map(name -> "http uses ${row:" + name + "}");
        if (unknown.isEmpty()) {
            // a request for a row that might be: what is wrong with all of them shows before the first
            ObjectNode example = JSON.createObjectNode();
            columns.forEach(name -> example.put(name, "row"));
            call(example, "key");
        }
        return unknown;
    }

    @Override
    public void checkArgs() {
        unknownColumn(List.copyOf(RowTexts.names(request)));
    }

    @Override
    public void run(Connection connection, Row row) throws Exception {
        try {
            caller.send(call(read(connection, row), row.key()));
        } catch (RetryLater later) {
            wish = wish.filter(other -> other.compareTo(later.delay()) >= 0).or(() -> Optional.of(later.delay()));
            throw later;
        }
    }

    @Override
    public Optional<Duration> wish() {
        return wish;
    }

    private HttpCall call(JsonNode row, String key) {
        ObjectNode filled = request.deepCopy();
        if (filled.hasNonNull("url")) {
            filled.set("url", RowTexts.inUrl(filled.get("url"), row));
        }
        if (filled.hasNonNull("headers")) {
            filled.set("headers", RowTexts.inHeaders(filled.get("headers"), row));
        }
        if (filled.hasNonNull("body")) {
            filled.set("body", RowTexts.inBody(filled.get("body"), row));
        } else if (!WITHOUT_BODY.contains(filled.path("method").asText("POST").toUpperCase(Locale.ROOT))) {
            filled.set("body", row);
        }
        Arguments args = Arguments.of(RowsTask.NAME + ": http", filled, HttpCall.KEYS);
        return HttpCall.of(args, "POST", rows.dataSource() + ":" + rows.table() + "/" + key + "/" + rows.to(), context);
    }

    // The database makes the JSON: it knows its types best.
    private JsonNode read(Connection connection, Row row) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set local time zone 'UTC'");
        }
        String sql = "select to_jsonb(onbeat_row) from " + rows.table() + " as onbeat_row where " + rows.key() + " = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, row.key(), Types.OTHER);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    throw new SQLException("the row is not there any more");
                }
                return JSON.readTree(result.getString(1));
            }
        }
    }
}
