package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.texts;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How many runs of a task may run at once: max_concurrency, as the beat last read it. */
public final class TaskLimits {
    private TaskLimits() {}

    /** By task; those that are not here are not limited. */
    public static Map<String, Integer> all(Connection connection) throws SQLException {
        Map<String, Integer> limits = new TreeMap<>();
        Sql.list(
                connection,
                "select task, max_concurrency from task_limit",
                row -> limits.put(row.getString("task"), row.getInt("max_concurrency")));
        return limits;
    }

    /**
     * Has these limits in force, and no others; only the difference is written. What runs goes on: a limit that is new or
     * lower holds from the next claim on, and counts what runs already. What waits for a limit that is gone or higher is set
     * going by recovery.
     *
     * @return whether anything was different
     */
    public static boolean put(Connection connection, Map<String, Integer> limits) throws SQLException {
        Map<String, Integer> before = all(connection);
        if (before.equals(limits)) {
            return false;
        }
        Permits.lock(connection, before.keySet());
        Sql.update(connection, "delete from task_limit where task <> all (?)", texts(limits.keySet()));
        List<String> tasks = List.copyOf(limits.keySet());
        Sql.update(
                connection,
                """
                insert into task_limit (task, max_concurrency)
                select task, max_concurrency from unnest(?, ?) as l (task, max_concurrency) order by task
                on conflict (task) do update set max_concurrency = excluded.max_concurrency
                where task_limit.max_concurrency <> excluded.max_concurrency""",
                texts(tasks),
                ints(tasks.stream().map(limits::get).toList()));
        adopt(connection);
        return true;
    }

    /**
     * The backstop of the permits: counts what was claimed without one (before its task had a limit, or by a worker of a
     * version that knows no limits), forgets those of attempts that ended, calls what may follow, and sets going what waits for
     * a limit that is gone.
     *
     * @param waitingFor the tasks of runs that wait for a permit
     * @return how many runs were queued
     */
    static int recover(Connection connection, Collection<String> waitingFor, int most) throws SQLException {
        Map<String, Integer> limits = all(connection);
        if (limits.isEmpty() && waitingFor.isEmpty()) {
            return 0;
        }
        List<String> limited = Permits.lock(connection, limits.keySet());
        adopt(connection);
        Sql.update(connection, """
                delete from permit using run
                where permit.token is not null and run.id = permit.run_id
                      and (run.state <> 'running' or run.lease_token is distinct from permit.token)""");
        int called = limited.isEmpty() ? 0 : Permits.call(connection, limited);
        return limited.containsAll(waitingFor) ? called : called + letGo(connection, most);
    }

    /** Forgets what belongs to runs that have ended or are kept no more: a cancelled run's place in the line. */
    static void deleteRest(Connection connection) throws SQLException {
        Sql.update(connection, """
                delete from permit where token is null
                and not exists (select from run where run.id = permit.run_id and run.open)""");
    }

    // the callers have the locks of all limits: no claim writes a permit meanwhile
    private static void adopt(Connection connection) throws SQLException {
        Sql.update(connection, """
                insert into permit (run_id, task, queue, fire_at, token)
                select id, task, queue, fire_at, case state when 'running' then lease_token end from run
                where open and (state = 'running' and task in (select task from task_limit)
                                or state = 'waiting' and for_permit)
                      and not exists (select from permit where permit.run_id = run.id and permit.token is not distinct from
                                      case run.state when 'running' then run.lease_token end)
                on conflict (run_id) do update set token = excluded.token, called_until = null""");
    }

    private static int letGo(Connection connection, int most) throws SQLException {
        List<Long> queued = Sql.list(connection, """
                with free as (
                    select run.id from permit join run on run.id = permit.run_id
                    where permit.task not in (select task from task_limit) and run.state = 'waiting' and run.for_permit
                    order by run.id limit ? for update of run skip locked
                ), forgotten as (
                    delete from permit using free where permit.run_id = free.id
                )
                update run set state = 'queued', for_permit = false, queued_at = clock()
                from free where run.id = free.id returning run.id""", row -> row.getLong(1), most);
        Outbox.add(connection, Outbox.Kind.TASK, queued);
        return queued.size();
    }
}
