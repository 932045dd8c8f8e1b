package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.longs;

import io.onbeat.message.DeadMessage;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The messages that are still to be published. */
public final class Outbox {
    /** One for each ledger of a database. */
    private static final String CHANNEL = "'onbeat_outbox_' || current_schema()";

    private Outbox() {}

    public enum Kind {
        /** to the run's task queue */
        TASK,
        /** to its dead queue */
        DEAD;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An entry with the messages that its runs need by now; a run that has moved on since needs none.
     *
     * @param tries how often it was tried before
     */
    public record Entry(
            long id, Kind kind, List<Long> runIds, int tries, List<TaskMessage> tasks, List<DeadMessage> dead) {}

    /** Adds an entry that any leader's relay may take at once, and wakes it with the commit; nothing for no runs. */
    public static void add(Connection connection, Kind kind, Collection<Long> runIds) throws SQLException {
        if (!runIds.isEmpty()) {
            add(connection, kind, runIds, Duration.ZERO);
            Sql.one(connection, "select pg_notify(" + CHANNEL + ", '')", row -> true);
        }
    }

    /** From now on the connection hears of entries that {@link #add(Connection, Kind, Collection)} adds. */
    public static void listen(Connection connection) throws SQLException {
        String channel = Sql.one(connection, "select quote_ident(" + CHANNEL + ")", row -> row.getString(1));
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel);
        }
    }

    /** Waits until an entry is there, or for so long. */
    public static boolean heard(Connection connection, Duration wait) throws SQLException {
        PGNotification[] notes = connection.unwrap(PGConnection.class).getNotifications((int) wait.toMillis());
        return notes != null && notes.length > 0;
    }

    /**
     * Adds an entry that its writer publishes itself: it is left to the writer for a while.
     *
     * @return the entry's id
     */
    public static long add(Connection connection, Kind kind, Collection<Long> runIds, Duration reserved)
            throws SQLException {
        return Sql.one(
                connection,
                "insert into outbox (kind, run_ids, try_at) values (?, ?, clock() + ? * interval '1 ms') returning id",
                row -> row.getLong(1),
                kind.word(),
                longs(runIds),
                reserved.toMillis());
    }

    /** Adds an entry for each time: its messages are published no earlier. */
    public static void addLater(Connection connection, SortedMap<Instant, List<Long>> runIds) throws SQLException {
        if (runIds.isEmpty()) {
            return;
        }
        try (PreparedStatement insert =
                connection.prepareStatement("insert into outbox (kind, run_ids, try_at) values ('task', ?, ?)")) {
            for (Map.Entry<Instant, List<Long>> entry : runIds.entrySet()) {
                Sql.bind(insert, longs(entry.getValue()), entry.getKey());
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /**
     * Up to {@code most} entries whose time has come, oldest first, without those in {@code busy}; no more of them than it
     * takes to reach {@code mostRuns} runs. For a task entry, only runs that still wait to be started; for a dead entry, only
     * runs that are still dead.
     */
    public static List<Entry> due(Connection connection, Collection<Long> busy, int most, int mostRuns)
            throws SQLException {
        Map<Long, Entry> entries = new LinkedHashMap<>();
        Sql.list(connection, """
                with oldest as materialized (
                    select * from outbox where try_at <= clock() and id <> all (?) order by id limit ?
                ), due as materialized (
                    select * from (select *, sum(cardinality(run_ids)) over (order by id) as runs from oldest) as counted
                    where runs - cardinality(run_ids) < ?
                )
                select due.id as entry_id, due.kind, due.tries,
                       -- once an entry, not with each of its thousand runs
                       case when row_number() over (partition by due.id order by run.id) = 1 then due.run_ids end as run_ids,
                       run.id, run.key, run.attempt, run.failures, run.origin, run.schedule, run.task, run.queue, run.fire_at,
                       run.args, run.lease_owner, run.error_class, run.error_message
                from due
                left join run on run.id = any (due.run_ids)
                     and run.state = any (case due.kind when 'dead' then array['dead']
                                          else array['queued', 'retrying'] end::run_state[])
                order by due.id, run.id""", row -> collect(entries, row), longs(busy), most, mostRuns);
        return List.copyOf(entries.values());
    }

    /** Takes away entries whose every message is confirmed. */
    public static void remove(Connection connection, Collection<Long> entryIds) throws SQLException {
        Sql.update(connection, "delete from outbox where id = any (?)", longs(entryIds));
    }

    /** Keeps what was not confirmed, to be tried again after {@code delay}. */
    public static void keep(Connection connection, long entryId, List<Long> runIds, Duration delay, String error)
            throws SQLException {
        Sql.update(connection, """
                update outbox set run_ids = ?, tries = tries + 1, last_error = ?,
                                  try_at = clock() + ? * interval '1 ms' where id = ?""", longs(runIds), error, delay.toMillis(), entryId);
    }

    /** How many entries wait, and since when the oldest of them could have been published. */
    public record Backlog(long entries, Optional<Duration> oldest) {}

    public static Backlog backlog(Connection connection) throws SQLException {
        return Sql.one(
                connection,
                "select count(*), (extract(epoch from clock() - min(try_at)) * 1000)::bigint from outbox where try_at <= clock()",
                row -> new Backlog(
                        row.getLong(1),
                        Optional.ofNullable((Long) row.getObject(2)).map(Duration::ofMillis)));
    }

    private static Entry collect(Map<Long, Entry> entries, ResultSet row) throws SQLException {
        long id = row.getLong("entry_id");
        Kind kind = Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        Entry entry = entries.get(id);
        if (entry == null) {
            List<Long> runIds = List.of((Long[]) row.getArray("run_ids").getArray());
            entry = new Entry(id, kind, runIds, row.getInt("tries"), new ArrayList<>(), new ArrayList<>());
            entries.put(id, entry);
        }
        row.getLong("id");
        if (!row.wasNull()) {
            switch (kind) {
                case TASK -> entry.tasks.add(message(row, row.getInt("attempt") + 1));
                case DEAD ->
                    entry.dead.add(new DeadMessage(
                            message(row, row.getInt("attempt")),
                            row.getInt("failures"),
                            Sql.optionalText(row, "error_class"),
                            Sql.optionalText(row, "error_message"),
                            Sql.optionalText(row, "lease_owner")));
            }
        }
        return entry;
    }

    private static TaskMessage message(ResultSet row, int attempt) throws SQLException {
        return new TaskMessage(
                new Attempt(row.getLong("id"), row.getString("key"), attempt),
                Runs.origin(row.getString("origin")),
                Sql.optionalText(row, "schedule"),
                row.getString("task"),
                row.getString("queue"),
                Sql.instant(row, "fire_at"),
                row.getString("args"),
                Optional.empty());
    }
}
