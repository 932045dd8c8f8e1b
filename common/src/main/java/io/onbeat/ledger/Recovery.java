package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.instants;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;

import io.onbeat.fault.CrashPoint;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ledger's side of the recovery loop: finds what has come to a standstill and sets it going again. Each step takes a
 * bounded number of rows, in id order, and passes over rows that are locked just now.
 */
public final class Recovery {
    private static final int MOST_LET_GO = 1_000;

    private Recovery() {}

    /**
     * Ends leases that ran out: a failure, then the next attempt at once or dead. Invariant: nothing else ends a lease,
     * and the token goes with it, so that the outcome of its former owner is refused.
     *
     * @return how many runs went to which state
     */
    public static Map<RunState, Integer> endLapsedLeases(Connection connection, int most) throws SQLException {
        Map<RunState, List<Long>> ended = new EnumMap<>(RunState.class);
        Sql.list(
                connection,
                """
                with lapsed as (
                    select id from run where open and state = 'running' and lease_until < clock()
                    order by id limit ? for update skip locked
                ), ended as (
                    update run set
                        failures = failures + 1,
                        state = case when cancel_requested then 'cancelled'
                                     when failures + 1 >= max_attempts then 'dead' else 'queued' end::run_state,
                        open = not cancel_requested and failures + 1 < max_attempts,
                        finished_at = case when cancel_requested or failures + 1 >= max_attempts then clock() end,
                        queued_at = clock(), next_attempt_at = null, republish_at = null, republished = 0,
                        lease_token = null, lease_until = null,
                        error_class = 'LeaseLost',
                        error_message = 'worker ' || lease_owner || ' renewed its lease no more'
                    from lapsed where run.id = lapsed.id
                    returning run.*
                ), recorded as (
                    insert into attempt (run_id, attempt, outcome, worker, started_at, finished_at, error_class, error_message)
                    select id, attempt, 'lost', lease_owner, started_at, clock(), error_class, error_message from ended
                    on conflict do nothing
                )
                select id, state from ended order by id""",
                row -> ended.computeIfAbsent(RunState.of(row.getString("state")), s -> new ArrayList<>())
                        .add(row.getLong("id")),
                most);
        Outbox.add(connection, Outbox.Kind.TASK, ended.getOrDefault(RunState.QUEUED, List.of()));
        Outbox.add(connection, Outbox.Kind.DEAD, ended.getOrDefault(RunState.DEAD, List.of()));
        Map<RunState, Integer> counts = new EnumMap<>(RunState.class);
        ended.forEach((state, ids) -> counts.put(state, ids.size()));
        if (!ended.isEmpty()) {
            CrashPoint.LEASES_ENDED.pass();
        }
        return counts;
    }

    /**
     * Publishes again what should have started by now: a retry past its time, a run whose time to be published again has
     * come. Each time doubles the wait for the next, up to an hour.
     */
    public static int republishOverdue(Connection connection, Duration firstWait, int most) throws SQLException {
        return republish(connection, Sql.list(connection, """
                        select id from run
                        where open and state in ('queued', 'retrying') and republish_at <= clock()
                        order by id limit ? for update skip locked""", row -> row.getLong(1), most), firstWait);
    }

    /**
     * Publishes queued runs again whose message seems to be gone: a later one of their queue was claimed long ago, and the
     * outbox does not have them any more.
     *
     * @param overtaken by queue, the time before which a run was queued that was overtaken
     */
    public static int republishOvertaken(
            Connection connection, Map<String, Instant> overtaken, Duration firstWait, int most) throws SQLException {
        List<String> queues = List.copyOf(overtaken.keySet());
        return republish(
                connection,
                Sql.list(
                        connection,
                        """
                        select id from run
                        where open and state = 'queued' and republish_at is null
                              and exists (select from unnest(?, ?) as o (queue, queued_at)
                                          where o.queue = run.queue and run.queued_at < o.queued_at)
                              and not exists (select from (select unnest(run_ids) as id from outbox) as sent_later
                                              where sent_later.id = run.id)
                        order by id limit ? for update skip locked""",
                        row -> row.getLong(1),
                        texts(queues),
                        instants(queues.stream().map(overtaken::get).toList()),
                        most),
                firstWait);
    }

    /**
     * Publishes runs again that have been queued for longer than {@code atLeast} although their queue is empty and the outbox
     * does not have them any more.
     */
    public static int republishFromEmpty(
            Connection connection, Collection<String> emptyQueues, Duration atLeast, Duration firstWait, int most)
            throws SQLException {
        return republish(
                connection,
                Sql.list(connection, """
                        select id from run
                        where open and state = 'queued' and republish_at is null and queue = any (?)
                              and queued_at < clock() - ? * interval '1 ms'
                              and not exists (select from (select unnest(run_ids) as id from outbox) as sent_later
                                              where sent_later.id = run.id)
                        order by id limit ? for update skip locked""", row -> row.getLong(1), texts(emptyQueues), atLeast.toMillis(), most),
                firstWait);
    }

    /** The queues that have queued runs. */
    public static List<String> queuesInUse(Connection connection) throws SQLException {
        return Sql.list(
                connection, "select distinct queue from run where open and state = 'queued'", row -> row.getString(1));
    }

    /**
     * Sets waiting runs going whose predecessor ended without them (its end was recovered, cancelled, or its own transaction),
     * and those that a limit holds back no more.
     */
    public static int promote(Connection connection) throws SQLException {
        Set<Integer> schedules = new TreeSet<>();
        Set<String> tasks = new TreeSet<>();
        Sql.list(
                connection,
                """
                select distinct case when not for_permit then schedule_id end as schedule_id,
                       case when for_permit then task end as task
                from run where open and state = 'waiting' and (for_permit or schedule_id is not null)""",
                row -> row.getString("task") == null
                        ? schedules.add(row.getInt("schedule_id"))
                        : tasks.add(row.getString("task")));
        // all locks of schedules and limits before the first row of a run
        if (!schedules.isEmpty()) {
            Promotion.lock(connection, schedules);
        }
        int promoted = TaskLimits.recover(connection, tasks, MOST_LET_GO);
        if (!schedules.isEmpty()) {
            promoted += Promotion.promote(connection, schedules);
        }
        if (promoted > 0) {
            CrashPoint.PROMOTED.pass();
        }
        return promoted;
    }

    /** Ends runs that were not started within the time their schedule gives them. */
    public static int expire(Connection connection, int most) throws SQLException {
        return Sql.update(connection, """
                update run set state = 'expired', open = false, finished_at = clock()
                from (select id from run where open and state in ('waiting', 'queued') and attempt = 0
                            and expires_at <= clock()
                      order by id limit ? for update skip locked) as late
                where run.id = late.id""", most);
    }

    private static int republish(Connection connection, List<Long> ids, Duration firstWait) throws SQLException {
        if (ids.isEmpty()) {
            return 0;
        }
        Sql.update(connection, """
                update run set republish_at = clock() + least(? * power(2, least(republished, 20)), 3600000) * interval '1 ms',
                               republished = least(republished + 1, 1000)
                where id = any (?)""", firstWait.toMillis(), longs(ids));
        Outbox.add(connection, Outbox.Kind.TASK, ids);
        CrashPoint.REPUBLISHED.pass();
        return ids.size();
    }
}
