package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;
import static io.onbeat.ledger.Sql.uuids;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The permits of tasks with a max_concurrency: what exceeds it waits, and follows in the order of the fire times.
 *
 * <p>Invariant: never more of a task's runs run under a lease than its limit says. Everything here is done under the lock of
 * the task's row in {@code task_limit}, which comes after the rows of schedules and before those of runs, and every count is a
 * statement after the one that got the lock: it sees what the holder before has committed.
 */
final class Permits {
    /** For so long a run that was called has the first claim to its permit; its message is usually there within a second. */
    private static final Duration CALL = Duration.ofSeconds(5);

    // who holds a permit of these tasks, and who was called to take one and has not come yet
    private static final String TAKEN = """
            taken as materialized (
                select permit.task, permit.queue, permit.run_id, run.state = 'running' as held
                from permit join run on run.id = permit.run_id
                where permit.task = any (?) and (permit.token is not null or permit.called_until is not null)
                      and (run.state = 'running' and run.lease_token = permit.token
                           or run.state = 'queued' and permit.token is null and permit.called_until > clock())
            )""";

    private Permits() {}

    /** What became of wishes to start runs of limited tasks, by run id. */
    record Answers(Map<Long, ClaimedRun> claimed, Set<Long> waiting) {
        static final Answers NONE = new Answers(Map.of(), Set.of());
    }

    /** Locks the limits of these tasks, in the order of their names. */
    static List<String> lock(Connection connection, Collection<String> tasks) throws SQLException {
        return Sql.list(
                connection,
                "select task from task_limit where task = any (?) order by task for update",
                row -> row.getString(1),
                texts(tasks));
    }

    /**
     * Starts what gets a permit, and has the others wait: they count no attempt and no failure. A run that was called comes
     * first, then the fire time decides. A limit that is gone by now answers nothing.
     */
    static Answers claim(
            Connection connection, String worker, Duration lease, Collection<String> tasks, List<Claims.Wish> wishes)
            throws SQLException {
        List<String> limited = lock(connection, tasks);
        if (limited.isEmpty()) {
            return Answers.NONE;
        }
        Map<Long, ClaimedRun> claimed = new HashMap<>();
        Set<Long> waiting = new HashSet<>();
        Sql.list(
                connection,
                """
                with wish as materialized (
                    select * from unnest(?, ?, ?, ?) as w (id, key, attempt, token)
                ), %s, ready as materialized (
                    select run.id, run.task, run.queue, run.fire_at, wish.attempt, wish.token
                    from wish join run on run.id = wish.id and run.key = wish.key
                    where run.task = any (?) and %s
                    order by run.id
                    for update of run
                ), placed as (
                    select asked.*,
                           row_number() over (partition by asked.task order by asked.called desc, asked.fire_at, asked.id)
                           + (select count(*) from taken where taken.task = asked.task and taken.held)
                           + case when asked.called then 0
                                  else (select count(*) from taken
                                        where taken.task = asked.task and taken.queue = asked.queue and not taken.held
                                              and taken.run_id not in (select id from ready)) end as place
                    from (select distinct on (ready.id) ready.*,
                                 exists (select from taken where taken.run_id = ready.id and not taken.held) as called
                          from ready order by ready.id) as asked
                ), answer as materialized (
                    select placed.*, placed.place <= task_limit.max_concurrency as granted
                    from placed join task_limit using (task)
                ), noted as (
                    insert into permit (run_id, task, queue, fire_at, token)
                    select id, task, queue, fire_at, case when granted then token end from answer
                    on conflict (run_id) do update set token = excluded.token, called_until = null
                ), waits as (
                    update run set state = 'waiting', for_permit = true, next_attempt_at = null,
                                   republish_at = null, republished = 0
                    from answer where run.id = answer.id and not answer.granted
                ), started as (
                    update run set state = 'running', attempt = answer.attempt, lease_token = answer.token,
                                   lease_owner = ?, lease_until = clock() + ? * interval '1 ms', started_at = clock(),
                                   next_attempt_at = null, for_permit = false
                    from answer where run.id = answer.id and answer.granted
                    returning run.*, true as limited
                )
                select answer.id as asked_id, answer.granted, started.*
                from answer left join started on started.id = answer.id""".formatted(TAKEN, Claims.MAY_START),
                row -> row.getBoolean("granted")
                        ? claimed.put(row.getLong("asked_id"), Claims.read(row))
                        : waiting.add(row.getLong("asked_id")),
                longs(wishes.stream().map(w -> w.attempt().runId()).toList()),
                texts(wishes.stream().map(w -> w.attempt().runKey()).toList()),
                ints(wishes.stream().map(w -> w.attempt().number()).toList()),
                uuids(wishes.stream().map(Claims.Wish::token).toList()),
                texts(limited),
                texts(limited),
                worker,
                lease.toMillis());
        return new Answers(claimed, waiting);
    }

    /** Forgets the permits of attempts that have ended. The caller has the limits' locks. */
    static void drop(Connection connection, Collection<Long> runIds) throws SQLException {
        Sql.update(connection, """
                delete from permit using run
                where permit.run_id = any (?) and run.id = permit.run_id and permit.token is not null
                      and (run.state <> 'running' or run.lease_token <> permit.token)""", longs(runIds));
    }

    /**
     * Queues waiting runs, as many as there are permits that nobody has or was called for. Each queue is called for itself, so
     * that a queue without workers keeps the permits from no other. The caller has the limits' locks.
     *
     * @return how many runs were queued
     */
    static int call(Connection connection, Collection<String> tasks) throws SQLException {
        List<Long> called = Sql.list(
                connection, """
                with recursive line (task, max_concurrency, queue) as (
                    select task, max_concurrency, (select min(queue) from permit where permit.task = task_limit.task)
                    from task_limit where task = any (?)
                    union all
                    select task, max_concurrency,
                           (select min(queue) from permit where permit.task = line.task and permit.queue > line.queue)
                    from line where queue is not null
                ), %s, room as (
                    select task, queue,
                           max_concurrency - (select count(*) from taken where taken.task = line.task
                                              and (taken.held or taken.queue = line.queue)) as free
                    from line where queue is not null
                ), called as (
                    update run set state = 'queued', for_permit = false, queued_at = clock()
                    from room cross join lateral (
                        select permit.run_id from permit join run as waiting on waiting.id = permit.run_id
                        where permit.task = room.task and permit.queue = room.queue
                              and permit.token is null and permit.called_until is null
                              and waiting.state = 'waiting' and waiting.for_permit and not waiting.cancel_requested
                              and (waiting.attempt > 0 or waiting.expires_at is null or waiting.expires_at > clock())
                        order by permit.fire_at, permit.run_id limit greatest(room.free, 0)) as next
                    where run.id = next.run_id and run.state = 'waiting' and run.for_permit
                    returning run.id
                ), noted as (
                    update permit set called_until = clock() + ? * interval '1 ms'
                    from called where permit.run_id = called.id
                )
                select id from called order by id""".formatted(TAKEN), row -> row.getLong(1), texts(tasks), texts(tasks), CALL.toMillis());
        Outbox.add(connection, Outbox.Kind.TASK, called);
        return called.size();
    }
}
