package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Steps that are done once. Invariants: a finish is written once, by the holder of the step's last start, and stays; a start
 * is taken over only when its owner is gone. The names are written with their schema, since a task's own connection does not
 * look there.
 */
public final class OnceSteps {
    // the owner lives: its own lease has not passed, or its run is still running under the token of that start
    private static final String LIVE = """
            (case when step.lease_until is null
                  then exists (select from %1$s.run
                               where run.key = step.run_key and run.state = 'running' and run.lease_token = step.holder)
                  else step.lease_until > %1$s.clock() end)""";

    private final String schema;

    /** @param schema the ledger's */
    public OnceSteps(String schema) {
        this.schema = schema;
    }

    /** What stands in the way of a step, or nothing. */
    public sealed interface Begun {
        /** @param start counts the starts of the step from 1 */
        record Started(int start) implements Begun {}

        /** @param result JSON */
        record Finished(Optional<String> result) implements Begun {}

        /** @param runKey whose run is at it */
        record Busy(String runKey) implements Begun {}
    }

    /**
     * Starts the step where it is not finished and no live owner is at it.
     *
     * @param holder the lease token of the run, or a token made for this start where there is a lease
     * @param lease how long a start outside of a run counts without {@link #renew}; empty where the run's own lease counts
     */
    public Begun begin(Connection connection, String key, String runKey, UUID holder, Optional<Duration> lease)
            throws SQLException {
        Optional<Integer> start = Sql.first(
                connection,
                sql("""
                insert into %1$s.once as step (key, run_key, holder, lease_until, started_at)
                values (?, ?, ?, %1$s.clock() + ?::bigint * interval '1 ms', %1$s.clock())
                on conflict (key) do update
                    set run_key = excluded.run_key, holder = excluded.holder, lease_until = excluded.lease_until,
                        starts = step.starts + 1, started_at = excluded.started_at
                    where step.finished_at is null and (step.holder = excluded.holder or not\s""" + LIVE + """
                )
                returning starts"""),
                row -> row.getInt(1),
                key,
                runKey,
                holder,
                lease.map(Duration::toMillis).orElse(null));
        return start.isPresent() ? new Begun.Started(start.get()) : standing(connection, key);
    }

    /** @return false where another owner has taken the step over */
    public boolean finish(Connection connection, String key, UUID holder, Optional<String> result) throws SQLException {
        return Sql.update(connection, sql("""
                        update %1$s.once set finished_at = coalesce(finished_at, %1$s.clock()), result = ?::json, lease_until = null
                        where key = ? and holder = ?"""), result.orElse(null), key, holder) == 1;
    }

    /** @return false where another owner has taken the step over, or it is finished */
    public boolean renew(Connection connection, String key, UUID holder, Duration lease) throws SQLException {
        return Sql.update(connection, sql("""
                        update %1$s.once set lease_until = %1$s.clock() + ? * interval '1 ms'
                        where key = ? and holder = ? and finished_at is null"""), lease.toMillis(), key, holder) == 1;
    }

    /** Its owner gives the start up: the next one need not wait for the end of its lease. */
    public void giveUp(Connection connection, String key, UUID holder) throws SQLException {
        Sql.update(connection, sql("""
                update %1$s.once set lease_until = '-infinity' where key = ? and holder = ? and finished_at is null"""), key, holder);
    }

    private Begun standing(Connection connection, String key) throws SQLException {
        return Sql.one(
                connection,
                sql("select run_key, finished_at is not null as finished, result from %1$s.once where key = ?"),
                row -> row.getBoolean("finished")
                        ? new Begun.Finished(Sql.optionalText(row, "result"))
                        : new Begun.Busy(row.getString("run_key")),
                key);
    }

    private String sql(String text) {
        return text.formatted(schema);
    }
}
