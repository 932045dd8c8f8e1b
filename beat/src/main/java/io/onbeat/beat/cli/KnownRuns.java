package io.onbeat.beat.cli;

import io.onbeat.ledger.History;
import io.onbeat.ledger.RunView;
import java.sql.Connection;
import java.sql.SQLException;

/** Finds the run that was asked for by its key. */
final class KnownRuns {
    private KnownRuns() {}

    static RunView get(Connection connection, String key) throws SQLException {
        return History.run(connection, key).orElseThrow(() -> unknown(key));
    }

    static UsageError unknown(String key) {
        return new UsageError("no run \"" + key + "\" in the ledger: onbeat runs lists the keys");
    }
}
