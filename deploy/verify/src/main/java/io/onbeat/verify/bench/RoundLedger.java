package io.onbeat.verify.bench;

import io.onbeat.ledger.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the ledger says about one round: the runs that were written since it began. */
final class RoundLedger {
    private final long before;

    /** @param before the highest id of a run before the round */
    private RoundLedger(long before) {
        this.before = before;
    }

    static RoundLedger begin(Connection connection) throws SQLException {
        return new RoundLedger(Sql.one(connection, "select coalesce(max(id), 0) from run", row -> row.getLong(1)));
    }

    /** The fires that are due at an instant of the database's clock, all of them still to be judged. */
    record Due(Instant at, long count) {}

    static Due due(Connection connection) throws SQLException {
        return Sql.one(connection, """
                select clock() as at, coalesce(sum(floor(extract(epoch from clock()))
                                                   - floor(extract(epoch from watermark))), 0)::bigint as count
                from schedule where removed_at is null""", row -> new Due(Sql.instant(row, "at"), row.getLong("count")));
    }

    /** True when all fires up to {@code due} are judged. */
    static boolean judged(Connection connection, Instant due) throws SQLException {
        return Sql.one(connection, "select min(watermark) >= ? from schedule", row -> row.getBoolean(1), due);
    }

    /** The run that was written last of those that were due; it is likely to end last. */
    long last(Connection connection, Instant due) throws SQLException {
        return Sql.one(
                connection,
                "select max(id) from run where id > ? and fire_at <= ?",
                row -> row.getLong(1),
                before,
                due);
    }

    static boolean ended(Connection connection, long runId) throws SQLException {
        return Sql.one(connection, "select not open from run where id = ?", row -> row.getBoolean(1), runId);
    }

    /** How many of the fires up to {@code due} are settled. */
    long settled(Connection connection, Instant due) throws SQLException {
        return Sql.one(
                connection,
                "select count(*) from run where id > ? and fire_at <= ? and not open",
                row -> row.getLong(1),
                before,
                due);
    }

    /**
     * From the first of the round's runs in the ledger to the last settle of those that were due at its start, by the
     * database's clock.
     *
     * @param settled all that were settled in that time, those that fell due meanwhile with them
     */
    record Span(double seconds, long settled) {
        double perSecond() {
            return settled / seconds;
        }
    }

    Span span(Connection connection, Instant due) throws SQLException {
        return Sql.one(
                connection,
                """
                with span as (
                    select min(queued_at) as first, max(finished_at) filter (where fire_at <= ?) as last
                    from run where id > ?
                )
                select extract(epoch from last - first)::float8 as seconds,
                       (select count(*) from run where id > ? and finished_at <= last) as settled
                from span""",
                row -> new Span(row.getDouble("seconds"), row.getLong("settled")),
                due,
                before,
                before);
    }

    /** What the round broke of what Onbeat promises; empty when all is as it must be. */
    List<String> broken(Connection connection) throws SQLException {
        List<String> broken = new ArrayList<>();
        require(broken, connection, "runs that did not succeed at their first attempt", """
                select count(*) from run where id > %d and (state <> 'succeeded' or attempt <> 1 or open)""");
        require(broken, connection, "fires without a run of their own", """
                select coalesce(sum(abs(fires - runs)), 0)::bigint from (
                    select count(*) as runs, extract(epoch from max(fire_at) - min(fire_at))::bigint + 1 as fires
                    from run where id > %d group by schedule_id) as each""");
        require(broken, connection, "schedules judged beyond their last run", """
                select count(*) from schedule join
                    (select schedule_id, max(fire_at) as last from run where id > %d group by schedule_id) as fired
                    on fired.schedule_id = schedule.id
                where watermark - last >= interval '1 s'""");
        require(broken, connection, "skips", "select count(*) from skip");
        require(broken, connection, "outbox entries left", "select count(*) from outbox");
        return broken;
    }

    private void require(List<String> broken, Connection connection, String what, String count) throws SQLException {
        long found = Sql.one(connection, count.formatted(before), row -> row.getLong(1));
        if (found > 0) {
            broken.add(found + " " + what);
        }
    }
}
