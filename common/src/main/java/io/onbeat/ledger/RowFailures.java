package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.texts;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The failures of one table's rows: a row has an entry from its first failure to its first success. */
public final class RowFailures {
    private static final int LONGEST_ERROR = 2_000;

    private final Ledger ledger;
    private final String source;
    private final String runKey;

    /** @param source data source and table */
    public RowFailures(Ledger ledger, String source, String runKey) {
        this.ledger = ledger;
        this.source = source;
        this.runKey = runKey;
    }

    public record Known(String key, int failures) {}

    public List<Known> known() throws SQLException {
        try (Connection connection = ledger.connection()) {
            return Sql.list(
                    connection,
                    "select row_key, failures from row_failure where source = ? order by row_key",
                    row -> new Known(row.getString(1), row.getInt(2)),
                    source);
        }
    }

    /** @return how often the row has failed by now */
    public int add(String key, String error) throws SQLException {
        String text = error.replace("\0", "");
        try (Connection connection = ledger.connection()) {
            return Sql.one(
                    connection,
                    """
                    insert into row_failure as known (source, row_key, run_key, failed_at, error)
                    values (?, ?, ?, clock(), ?)
                    on conflict (source, row_key) do update
                        set failures = known.failures + 1, run_key = excluded.run_key, failed_at = excluded.failed_at,
                            error = excluded.error
                    returning failures""",
                    row -> row.getInt(1),
                    source,
                    key,
                    runKey,
                    text.substring(0, Math.min(text.length(), LONGEST_ERROR)));
        }
    }

    public void forget(List<String> keys) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.update(
                    connection, "delete from row_failure where source = ? and row_key = any (?)", source, texts(keys));
        }
    }
}
