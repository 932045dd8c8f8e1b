package io.onbeat.worker.execute;

import io.onbeat.ledger.RowFailures;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The record of the rows of one table that failed: from a row's first failure to its first success. */
public interface FailedRows {

    /** How often each has failed, by its key. */
    Map<String, Integer> known() throws SQLException;

    /** @return how often the row has failed by now */
    int add(String key, String error) throws SQLException;

    void forget(List<String> keys) throws SQLException;

    /** In the ledger, where errors show no secret. */
    static FailedRows of(RowFailures ledger, Secrets secrets) {
        return new FailedRows() {
            @Override
            public Map<String, Integer> known() throws SQLException {
                return ledger.known().stream()
                        .collect(Collectors.toMap(RowFailures.Known::key, RowFailures.Known::failures));
            }

            @Override
            public int add(String key, String error) throws SQLException {
                return ledger.add(key, secrets.mask(error));
            }

            @Override
            public void forget(List<String> keys) throws SQLException {
                ledger.forget(keys);
            }
        };
    }
}
