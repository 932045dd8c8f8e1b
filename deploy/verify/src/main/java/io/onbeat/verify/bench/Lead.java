package io.onbeat.verify.bench;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Takes the lead from the beat and gives it back: meanwhile nothing fires, and schedules fall due as they would in an outage.
 * The beat stays as it is, with its code compiled and its connections open.
 */
final class Lead {
    private static final String OWNER = "bench";

    private Lead() {}

    static boolean isHeldByABeat(Connection connection) throws SQLException {
        return Sql.first(connection, "select owner from leader where lease_until > clock()", row -> row.getString(1))
                .filter(owner -> !owner.equals(OWNER))
                .isPresent();
    }

    // a new term: the beat's transactions compare it, so whatever it is about to write is refused
    static void take(Ledger ledger) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.update(
                    connection,
                    "update leader set owner = ?, term = term + 1, lease_until = clock() + interval '1 hour'",
                    OWNER);
        }
    }

    static void giveBack(Ledger ledger) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.update(connection, "update leader set lease_until = '-infinity' where owner = ?", OWNER);
        }
    }
}
