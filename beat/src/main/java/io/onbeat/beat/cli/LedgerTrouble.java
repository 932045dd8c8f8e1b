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

    /** The class of SQLSTATEs for a wrong user or password. */
    private static final String WRONG_USER = "28";

    private LedgerTrouble() {}

    static String explain(SQLException failure, LedgerSettings settings) {
        SQLException reason = reason(failure);
        String state = String.valueOf(reason.getSQLState());
        if (NO_LEDGER.contains(state)) {
            return "there is no ledger at " + settings + ": start a beat, which creates it, or set "
                    + ServerSettings.NAMESPACE + " and " + ServerSettings.DATABASE_URL;
        }
        if (state.startsWith(WRONG_USER)) {
            return "the database at " + settings + " refuses this user: " + firstSentence(reason) + "; set "
                    + ServerSettings.DATABASE_USER + " and " + ServerSettings.DATABASE_PASSWORD;
        }
        if (failure instanceof SQLTransientConnectionException) {
            return "cannot reach the ledger at " + settings + ": " + firstSentence(reason) + "; start it, or set "
                    + ServerSettings.DATABASE_URL;
        }
        return "the ledger at " + settings + " refused: " + firstSentence(reason);
    }

    // the pool tells of its own waiting; the driver's reason is below
    private static SQLException reason(SQLException failure) {
        SQLException reason = failure;
        while (reason.getCause() instanceof SQLException cause) {
            reason = cause;
        }
        return reason;
    }

    // advice of the driver's own follows it
    private static String firstSentence(SQLException reason) {
        return String.valueOf(reason.getMessage()).strip().split("\\.\\s|\\R", 2)[0];
    }
}
