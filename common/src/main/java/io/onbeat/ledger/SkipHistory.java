package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Reads skips. */
public final class SkipHistory {
    private SkipHistory() {}

    /** The skip that this fire time of the schedule is part of. */
    public static Optional<Skips.Range> of(Connection connection, int scheduleId, Instant fireTime)
            throws SQLException {
        return Sql.first(
                connection,
                """
                select * from skip where schedule_id = ? and first <= ? and last >= ?
                order by first desc limit 1""",
                row -> new Skips.Range(
                        scheduleId,
                        Skips.Reason.of(row.getString("reason")),
                        Sql.instant(row, "first"),
                        Sql.instant(row, "last"),
                        row.getLong("count")),
                scheduleId,
                fireTime,
                fireTime);
    }
}
