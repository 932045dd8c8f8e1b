package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.longs;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Deletes what has ended longer ago than it is kept. */
public final class Retention {
    private Retention() {}

    /**
     * Deletes ended runs among the {@code most} oldest ones. Walks in id order, so that it needs no index on a column that
     * changes; a run that is still open is passed over.
     *
     * @return how many runs are gone
     */
    public static int deleteRuns(Connection connection, Duration keep, int most) throws SQLException {
        List<Long> ended = Sql.list(connection, """
                select id from (select id, open, finished_at from run order by id limit ?) as oldest
                where not open and finished_at < clock() - ? * interval '1 ms' order by id""", row -> row.getLong(1), most, keep.toMillis());
        return ended.isEmpty() ? 0 : Sql.update(connection, "delete from run where id = any (?)", longs(ended));
    }

    /** Deletes old skips, old audit rows, and workers that have not been heard of for a day. */
    public static void deleteRest(Connection connection, Duration keep) throws SQLException {
        long ms = keep.toMillis();
        Sql.update(connection, "delete from skip where last < clock() - ? * interval '1 ms'", ms);
        Sql.update(connection, "delete from audit where at < clock() - ? * interval '1 ms'", ms);
        Sql.update(connection, "delete from worker where seen_at < clock() - interval '1 day'");
    }
}
