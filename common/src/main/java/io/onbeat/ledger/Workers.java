package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The workers, as each reports itself with every lease renewal. */
public final class Workers {
    private Workers() {}

    /** Who a worker is; {@code queues} and {@code tasks} are JSON texts: an object of slots by queue, and a list of names. */
    public record Identity(String id, String host, long pid, String version, String queues, String tasks) {}

    /** What it has done since it started. {@code claimedUpTo}: JSON, the newest queued_at it claimed by queue. */
    public record Counts(
            int running, long claimed, long succeeded, long failed, long duplicates, long lost, String claimedUpTo) {}

    /** A worker's row. */
    public record Row(
            Identity identity, String state, Instant startedAt, Instant seenAt, Duration silence, Counts counts) {}

    public static void report(Ledger ledger, Identity worker, String state, Counts counts) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.update(
                    connection,
                    """
                    insert into worker (id, host, pid, version, queues, tasks, state, started_at, seen_at,
                                        running, claimed, succeeded, failed, duplicates, lost, claimed_up_to)
                    values (?, ?, ?, ?, ?::json, ?::json, ?, clock(), clock(), ?, ?, ?, ?, ?, ?, ?::json)
                    on conflict (id) do update set
                        state = excluded.state, seen_at = excluded.seen_at, running = excluded.running,
                        claimed = excluded.claimed, succeeded = excluded.succeeded, failed = excluded.failed,
                        duplicates = excluded.duplicates, lost = excluded.lost, claimed_up_to = excluded.claimed_up_to""",
                    worker.id(),
                    worker.host(),
                    worker.pid(),
                    worker.version(),
                    worker.queues(),
                    worker.tasks(),
                    state,
                    counts.running(),
                    counts.claimed(),
                    counts.succeeded(),
                    counts.failed(),
                    counts.duplicates(),
                    counts.lost(),
                    counts.claimedUpTo());
        }
    }

    public static List<Row> all(Connection connection) throws SQLException {
        return Sql.list(connection, """
                select *, (extract(epoch from clock() - seen_at) * 1000)::bigint as silence_ms
                from worker order by started_at, id""", Workers::read);
    }

    /** The newest queued_at that any worker has claimed, by queue: what was queued long before it was overtaken. */
    public static Map<String, Instant> claimedUpTo(Connection connection) throws SQLException {
        Map<String, Instant> newest = new HashMap<>();
        Sql.list(connection, """
                select claimed.key as queue, max(claimed.value::timestamptz) as queued_at
                from worker, json_each_text(claimed_up_to) as claimed group by claimed.key""", row -> newest.put(row.getString("queue"), Sql.instant(row, "queued_at")));
        return newest;
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(
                new Identity(
                        row.getString("id"),
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getString("version"),
                        row.getString("queues"),
                        row.getString("tasks")),
                row.getString("state"),
                Sql.instant(row, "started_at"),
                Sql.instant(row, "seen_at"),
                Duration.ofMillis(row.getLong("silence_ms")),
                new Counts(
                        row.getInt("running"),
                        row.getLong("claimed"),
                        row.getLong("succeeded"),
                        row.getLong("failed"),
                        row.getLong("duplicates"),
                        row.getLong("lost"),
                        row.getString("claimed_up_to")));
    }
}
