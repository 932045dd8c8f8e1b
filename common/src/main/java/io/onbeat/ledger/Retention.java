package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.longs;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Deletes what has ended longer ago than it is kept. */
public final class Retention {
    private Retention() {}

    /**
     * What one step of a walk came to.
     *
     * @param after where the next step goes on; empty at the end of the walk, when no run that is left is old
     */
    public record Step(int deleted, Optional<Long> after) {}

    private record Seen(long id, boolean old, boolean ended) {}

    /**
     * Deletes those of the {@code most} runs after an id that ended before. Walks in id order, so that it needs no index on a
     * column that changes; runs that are still open are passed over, however many they are. The steps of a run go with it.
     *
     * @param after 0 for the start of a walk
     */
    public static Step deleteRuns(Connection connection, Duration keep, long after, int most) throws SQLException {
        List<Seen> seen = Sql.list(
                connection,
                """
                select id, queued_at < clock() - keep as old, not open and finished_at < clock() - keep as ended
                from (select * from run where id > ? order by id limit ?) as oldest,
                    (select ? * interval '1 ms' as keep) as retention
                order by id""",
                row -> new Seen(row.getLong("id"), row.getBoolean("old"), row.getBoolean("ended")),
                after,
                most,
                keep.toMillis());
        List<Long> ended = seen.stream().filter(Seen::ended).map(Seen::id).toList();
        if (!ended.isEmpty()) {
            // '$' follows '#', which ends the run key in the key of a step
            Sql.update(connection, """
                    with gone as (delete from run where id = any (?) returning key)
                    delete from once using gone
                    where once.key > 'run:' || gone.key || '#' and once.key < 'run:' || gone.key || '$'""", longs(ended));
        }
        return new Step(
                ended.size(),
                seen.stream().anyMatch(Seen::old) ? Optional.of(seen.get(seen.size() - 1).id) : Optional.empty());
    }

    /**
     * Deletes old skips, old audit rows, workers that have not been heard of for a day, and steps that were finished a year
     * ago: a step that is forgotten could be done anew, so those that outlive their run are kept longer than anything else.
     */
    public static void deleteRest(Connection connection, Duration keep) throws SQLException {
        long ms = keep.toMillis();
        Sql.update(connection, "delete from skip where last < clock() - ? * interval '1 ms'", ms);
        Sql.update(connection, "delete from audit where at < clock() - ? * interval '1 ms'", ms);
        Sql.update(connection, "delete from worker where seen_at < clock() - interval '1 day'");
        Sql.update(
                connection,
                "delete from once where finished_at < clock() - greatest(? * interval '1 ms', interval '1 year')",
                ms);
        TaskLimits.deleteRest(connection);
    }
}
