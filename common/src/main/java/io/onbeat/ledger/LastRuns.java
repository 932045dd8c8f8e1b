package io.onbeat.ledger;

import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The newest run of every schedule. */
public final class LastRuns {
    // a run's id grows with time, and there is no index by schedule: looking further back is what the run keys are for
    private static final int RECENT = 20_000;

    private LastRuns() {}

    public record LastRun(
            String key, RunState state, Instant fireAt, Optional<Instant> startedAt, Optional<Instant> finishedAt) {}

    /**
     * By the schedule's id. Looks at the newest runs of all schedules, and for a schedule without any among them at the last
     * of its run keys that stand for a fire time or a period (they have a digit behind the @, and sort by time).
     */
    public static Map<Integer, LastRun> bySchedule(Connection connection) throws SQLException {
        Map<Integer, LastRun> last = new HashMap<>();
        Sql.list(
                connection,
                """
                with recent as materialized (
                    select schedule_id, max(id) as id
                    from (select id, schedule_id from run order by id desc limit ?) as newest
                    where schedule_id is not null group by schedule_id
                ), last as (
                    select schedule.id as schedule_id, coalesce(recent.id, older.id) as run_id
                    from schedule
                    left join recent on recent.schedule_id = schedule.id
                    left join lateral (
                        select id from run
                        where recent.id is null and key >= schedule.name || '@0' and key < schedule.name || '@:'
                        order by key desc limit 1
                    ) as older on true
                )
                select last.schedule_id as for_schedule, run.* from last join run on run.id = last.run_id""",
                row -> last.put(
                        row.getInt("for_schedule"),
                        new LastRun(
                                row.getString("key"),
                                RunState.of(row.getString("state")),
                                Sql.instant(row, "fire_at"),
                                Sql.optionalInstant(row, "started_at"),
                                Sql.optionalInstant(row, "finished_at"))),
                RECENT);
        return last;
    }
}
