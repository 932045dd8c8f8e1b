package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.booleans;
import static io.onbeat.ledger.Sql.instants;
import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;

import io.onbeat.run.Origin;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Writes new runs, and answers which schedules have an active one. */
public final class Runs {
    private Runs() {}

    /**
     * Inserts what is new as {@code queued} and leaves alone what is there: one row per run key, whoever asks.
     *
     * @return the ids of the runs that are new, by run key
     */
    public static Map<String, Long> insert(Connection connection, List<NewRun> runs) throws SQLException {
        // in key order, so that two writers of the same keys wait for each other in one direction only
        List<NewRun> ordered =
                runs.stream().sorted(Comparator.comparing(NewRun::key)).toList();
        Map<String, Long> inserted = new HashMap<>();
        Sql.list(
                connection,
                """
                insert into run (key, schedule_id, schedule, task, queue, origin, fire_at, args, timeout_ms, retry,
                                 max_attempts, serial, next_attempt_at, expires_at, state, queued_at)
                select key, schedule_id, schedule, task, queue, origin, fire_at, args::json, timeout_ms, retry::json,
                       max_attempts, serial, not_before, expires_at,
                       case when waiting then 'waiting' else 'queued' end::run_state, greatest(clock(), not_before)
                from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                     as new (key, schedule_id, schedule, task, queue, origin, fire_at, args, timeout_ms, retry,
                             max_attempts, serial, waiting, not_before, expires_at)
                on conflict (key) do nothing
                returning id, key""",
                row -> inserted.put(row.getString("key"), row.getLong("id")),
                texts(each(ordered, NewRun::key)),
                ints(each(ordered, r -> r.scheduleId().orElse(null))),
                texts(each(ordered, r -> r.schedule().orElse(null))),
                texts(each(ordered, NewRun::task)),
                texts(each(ordered, NewRun::queue)),
                texts(each(ordered, r -> r.origin().word())),
                instants(each(ordered, NewRun::fireAt)),
                texts(each(ordered, NewRun::args)),
                longs(each(ordered, r -> r.timeout().toMillis())),
                texts(each(ordered, NewRun::retry)),
                ints(each(ordered, NewRun::maxAttempts)),
                booleans(each(ordered, NewRun::serial)),
                booleans(each(ordered, NewRun::waiting)),
                instants(each(ordered, r -> r.notBefore().orElse(null))),
                instants(each(ordered, r -> r.expiresAt().orElse(null))));
        return inserted;
    }

    /**
     * What of a schedule is active.
     *
     * @param waiting how many of its active runs wait for those before them
     */
    public record Active(int waiting) {}

    /** Which of these schedules have active runs. Sound only while the caller holds their rows' locks. */
    public static Map<Integer, Active> active(Connection connection, Collection<Integer> scheduleIds)
            throws SQLException {
        Map<Integer, Active> active = new HashMap<>();
        Sql.list(
                connection,
                """
                select wanted.id, open.waiting
                from unnest(?) as wanted (id) cross join lateral (
                    select count(*) as runs, count(*) filter (where run.state = 'waiting')::int as waiting
                    from run where run.schedule_id = wanted.id and run.open) as open
                where open.runs > 0""",
                row -> active.put(row.getInt("id"), new Active(row.getInt("waiting"))),
                ints(scheduleIds));
        return active;
    }

    /** The ids of the runs that the ledger has under these keys. */
    public static Map<String, Long> ids(Connection connection, Collection<String> keys) throws SQLException {
        Map<String, Long> ids = new HashMap<>();
        Sql.list(
                connection,
                "select id, key from run where key = any (?)",
                row -> ids.put(row.getString("key"), row.getLong("id")),
                texts(keys));
        return ids;
    }

    static Origin origin(String word) {
        return Origin.of(word);
    }

    private static <T> List<T> each(List<NewRun> runs, Function<NewRun, T> field) {
        List<T> values = new java.util.ArrayList<>(runs.size());
        runs.forEach(run -> values.add(field.apply(run)));
        return values;
    }
}
