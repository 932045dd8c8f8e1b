package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;

/** Who did what by hand: one row for each trigger, cancel, replay and discard. */
public final class Audit {
    private Audit() {}

    /** @param detail JSON text, or null */
    public static void record(Connection connection, String actor, String action, String target, String detail)
            throws SQLException {
        Sql.update(
                connection,
                "insert into audit (at, actor, action, target, detail) values (clock(), ?, ?, ?, ?::json)",
                actor,
                action,
                target,
                detail);
    }

    /** One row for each target, without detail. */
    public static void recordAll(Connection connection, String actor, String action, Collection<String> targets)
            throws SQLException {
        Sql.update(
                connection,
                "insert into audit (at, actor, action, target) select clock(), ?, ?, target from unnest(?) as t (target)",
                actor,
                action,
                Sql.texts(targets));
    }
}
