package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.Rows;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Which rows, and what is done for each, read from a run. */
record RowsOrder(Rows rows, RowStep step) {
    static final List<String> KEYS =
            List.of("table", "key", "status", "where", "sql", "http", "batch", "max_failures", "data_source");
    static final List<String> STATUS_KEYS = List.of("column", "from", "to", "set_aside");

    private static final String STATUS = "a map such as {column: status, from: new, to: done}";
    private static final int MOST_FAILURES = 1000;
    // many rows of one transaction in SQL; a request takes its time, and a lock should not outlast it
    private static final int BATCH_OF_SQL = 100;
    private static final int BATCH_OF_HTTP = 1;

    static RowsOrder of(TaskContext context, HttpCaller caller) {
        Arguments args = Arguments.of(RowsTask.NAME, context.args(), KEYS);
        boolean http = args.value("http").isPresent();
        if (http == args.value("sql").isPresent()) {
            throw new PermanentFailure(RowsTask.NAME + ": it takes one of \"sql\" and \"http\", and there "
                    + (http ? "are both" : "is neither"));
        }
        Rows rows = rows(args, http ? BATCH_OF_HTTP : BATCH_OF_SQL);
        return new RowsOrder(rows, http ? new RowHttp(request(args), rows, context, caller) : RowSql.of(args, context));
    }

    /** @throws PermanentFailure when the table lacks one that is asked for: no row is touched then */
    void checkColumns(DataSource source) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select * from " + rows.table() + " where false");
                ResultSet none = statement.executeQuery()) {
            ResultSetMetaData about = none.getMetaData();
            for (int i = 1; i <= about.getColumnCount(); i++) {
                columns.add(about.getColumnName(i));
            }
        }
        Stream.concat(
                        Stream.of(rows.key(), rows.status())
                                .filter(name -> !columns.contains(unquoted(name)))
                                .map(name -> "\"key\" or \"status\" names " + name),
                        step.unknownColumn(columns).stream())
                .findFirst()
                .ifPresent(asks -> {
                    throw new PermanentFailure(RowsTask.NAME + ": " + asks + ", and " + rows.table()
                            + " has no such column; it has " + String.join(", ", columns));
                });
    }

    private static Rows rows(Arguments args, int batch) {
        String table = args.requiredText("table", "a table, such as shop.orders");
        args.required("status", STATUS);
        Arguments status = args.section("status", STATUS_KEYS).orElseThrow();
        try {
            return new Rows(
                    table,
                    args.text("key", "a column").orElse("id"),
                    status.text("column", "a column").orElse("status"),
                    status.requiredScalar("from", "the status of the rows to take"),
                    status.requiredScalar("to", "the status of a row that is done"),
                    status.scalar("set_aside", "the status of a row that has failed too often"),
                    args.text("where", "a condition in SQL"),
                    args.integer("batch", 1, Rows.LARGEST_BATCH, batch),
                    args.integer("max_failures", 1, MOST_FAILURES, Rows.MAX_FAILURES),
                    args.text("data_source", Arguments.DATA_SOURCE).orElse("ledger"));
        } catch (IllegalArgumentException wrong) {
            throw new PermanentFailure(RowsTask.NAME + ": " + wrong.getMessage());
        }
    }

    private static ObjectNode request(Arguments args) {
        JsonNode http = args.required("http", "a request as the http task takes it");
        args.section("http", HttpCall.KEYS);
        return (ObjectNode) http;
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? name.substring(1, name.length() - 1) : name.toLowerCase(Locale.ROOT);
    }
}
