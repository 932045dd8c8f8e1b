package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds dead runs, and puts them aside for good. {@link Replays} sets them going again. */
public final class DeadRuns {
    private DeadRuns() {}

    /**
     * Which dead runs; what is empty restricts nothing.
     *
     * @param error a part of the error's class or message
     */
    public record Selection(List<String> keys, Optional<String> schedule, Optional<String> error) {}

    /** A run that was dead when {@code attempt} had failed. */
    public record DeadRun(long id, String key, String queue, int attempt) {}

    /** In the order in which they were due. */
    public static List<DeadRun> find(Connection connection, Selection selection) throws SQLException {
        StringBuilder sql =
                new StringBuilder("select id, key, queue, attempt from run where state = 'dead' and not open");
        List<Object> parameters = new ArrayList<>();
        if (!selection.keys().isEmpty()) {
            sql.append(" and key = any (?)");
            parameters.add(texts(selection.keys()));
        }
        selection.schedule().ifPresent(schedule -> {
            sql.append(" and schedule = ?");
            parameters.add(schedule);
        });
        selection.error().ifPresent(error -> {
            sql.append(" and strpos(concat(error_class, ' ', error_message), ?) > 0");
            parameters.add(error);
        });
        sql.append(" order by id");
        return Sql.list(
                connection,
                sql.toString(),
                row -> new DeadRun(
                        row.getLong("id"), row.getString("key"), row.getString("queue"), row.getInt("attempt")),
                parameters.toArray());
    }

    /**
     * Dead → cancelled, with their errors kept. Invariant: only where the run is still dead at the attempt that was looked
     * at, so that a replay meanwhile is not undone.
     *
     * @return the ids of the runs that this call put aside
     */
    public static List<Long> discard(Connection connection, List<DeadRun> runs) throws SQLException {
        return Sql.list(
                connection,
                """
                with wanted as materialized (
                    select * from unnest(?, ?) as w (id, attempt)
                ), dead as (
                    select run.id from wanted join run on run.id = wanted.id
                    where run.state = 'dead' and run.attempt = wanted.attempt
                    order by run.id for update of run
                )
                update run set state = 'cancelled' from dead where run.id = dead.id
                returning run.id""",
                row -> row.getLong(1),
                longs(runs.stream().map(DeadRun::id).toList()),
                ints(runs.stream().map(DeadRun::attempt).toList()));
    }
}
