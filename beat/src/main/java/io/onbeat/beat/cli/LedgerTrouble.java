package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.LedgerSettings;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Says in one line why the ledger gave no answer, and what to do. */
final class LedgerTrouble {
    // SQLSTATEs of a table, function, schema or type that is not there
    private static final Set<String> NO_LEDGER = Set.of("42P01", "42883", "3F000", "42704");

    private LedgerTrouble() {}

    static String explain(SQLException failure, LedgerSettings settings) {
        if (NO_LEDGER.contains(String.valueOf(failure.getSQLState()))) {
            return "there is no ledger at " + settings + ": start a beat, which creates it, or set "
                    + ServerSettings.NAMESPACE + " and " + ServerSettings.DATABASE_URL;
        }
        if (failure instanceof SQLTransientConnectionException) {
            return "cannot reach the ledger at " + settings + ": " + reason(failure) + "; start it, or set "
                    + ServerSettings.DATABASE_URL;
        }
        return "the ledger at " + settings + " refused: " + reason(failure);
    }

    // the pool tells of its own waiting; the driver's reason is below
    private static String reason(SQLException failure) {
        Throwable reason = failure;
        while (reason.getCause() instanceof SQLException cause) {
            reason = cause;
        }
        // the driver's first sentence; advice of its own follows
        return String.valueOf(reason.getMessage()).strip().split("\\.\\s|\\R", 2)[0];
    }
}
