package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.instants;
import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The schedules as the ledger knows them: their last applied spec, and how far each was judged. */
public final class Schedules {
    private static final String COLUMNS =
            "id, name, spec, hash, rule_hash, watermark, skip_id, paused_at, skip_to, revision, removed_at";

    private Schedules() {}

    /**
     * A schedule's row.
     *
     * @param watermark every fire time up to here, and including it, was judged
     * @param skipTo fire times up to here are skipped by hand
     * @param revision grows with every change by hand
     * @param skipId the skip that the last judged fire belongs to; empty where it became a run
     */
    public record Row(
            int id,
            String name,
            String spec,
            String hash,
            String ruleHash,
            Instant watermark,
            Optional<Long> skipId,
            Optional<Instant> pausedAt,
            Optional<Instant> skipTo,
            int revision,
            boolean removed) {}

    /** A schedule that is judged from one watermark to the next, under the spec with this hash and as paused as then. */
    public record Advance(int id, String hash, int revision, Instant from, Instant to) {}

    /** What the file says now. */
    public record Spec(String name, String spec, String hash, String ruleHash) {}

    public static List<Row> all(Connection connection) throws SQLException {
        return Sql.list(connection, "select " + COLUMNS + " from schedule order by name", Schedules::read);
    }

    public static List<Row> byId(Connection connection, Collection<Integer> ids) throws SQLException {
        return Sql.list(
                connection, "select " + COLUMNS + " from schedule where id = any (?)", Schedules::read, ints(ids));
    }

    public static List<Row> named(Connection connection, Collection<String> names) throws SQLException {
        return Sql.list(
                connection, "select " + COLUMNS + " from schedule where name = any (?)", Schedules::read, texts(names));
    }

    /** Locks the row: whatever makes a run of a schedule active holds this lock while it judges overlap. */
    public static Optional<Row> lock(Connection connection, String name) throws SQLException {
        return Sql.first(
                connection,
                "select " + COLUMNS + " from schedule where name = ? and removed_at is null for update",
                Schedules::read,
                name);
    }

    /** Locks these rows, in id order, whatever became of them. */
    public static List<Row> lock(Connection connection, Collection<String> names) throws SQLException {
        return Sql.list(
                connection,
                "select " + COLUMNS + " from schedule where name = any (?) order by id for update",
                Schedules::read,
                texts(names));
    }

    /**
     * Moves watermarks, and locks their rows until the transaction ends. Invariant: a watermark moves only from the value
     * that the judgement was made from, under the spec and the pause that it was made by; who comes second moves nothing.
     *
     * @return the skip that each moved schedule's last judged fire belongs to, by schedule id
     */
    public static Map<Integer, Optional<Long>> advance(Connection connection, List<Advance> advances)
            throws SQLException {
        Map<Integer, Optional<Long>> moved = new HashMap<>();
        Sql.list(
                connection,
                """
                with judged as materialized (
                    select * from unnest(?, ?, ?, ?, ?) as j (id, hash, revision, from_time, to_time)
                ), locked as (
                    select schedule.id, judged.to_time
                    from judged join schedule on schedule.id = judged.id
                    where schedule.watermark = judged.from_time and schedule.hash = judged.hash
                          and schedule.revision = judged.revision and schedule.removed_at is null
                    order by schedule.id
                    for update of schedule
                )
                update schedule set watermark = locked.to_time from locked where schedule.id = locked.id
                returning schedule.id, schedule.skip_id""",
                row -> moved.put(row.getInt("id"), Optional.ofNullable((Long) row.getObject("skip_id"))),
                ints(each(advances, Advance::id)),
                texts(each(advances, Advance::hash)),
                ints(each(advances, Advance::revision)),
                instants(each(advances, Advance::from)),
                instants(each(advances, Advance::to)));
        return moved;
    }

    /** Notes which skip each schedule's last judged fire belongs to; an empty value says it became a run. */
    public static void rememberSkips(Connection connection, Map<Integer, Optional<Long>> skips) throws SQLException {
        List<Map.Entry<Integer, Optional<Long>>> entries = List.copyOf(skips.entrySet());
        Sql.update(
                connection,
                """
                update schedule set skip_id = changed.skip_id from unnest(?, ?) as changed (id, skip_id)
                where schedule.id = changed.id""",
                ints(entries.stream().map(Map.Entry::getKey).toList()),
                longs(java.util.Arrays.asList(
                        entries.stream().map(e -> e.getValue().orElse(null)).toArray(Long[]::new))));
    }

    /**
     * Writes specs that are new or changed. A schedule that is new, or comes back, or fires at other times now, starts from
     * {@code now}; any other edit keeps the watermark.
     */
    public static void put(Connection connection, List<Spec> specs, Instant now) throws SQLException {
        Sql.update(
                connection,
                """
                insert into schedule (name, spec, hash, rule_hash, watermark)
                select name, spec::json, hash, rule_hash, ? from unnest(?, ?, ?, ?) as s (name, spec, hash, rule_hash)
                order by name
                on conflict (name) do update set
                    spec = excluded.spec, hash = excluded.hash, rule_hash = excluded.rule_hash, removed_at = null,
                    watermark = case
                        when schedule.rule_hash = excluded.rule_hash and schedule.removed_at is null
                        then schedule.watermark else greatest(schedule.watermark, excluded.watermark) end,
                    skip_id = case
                        when schedule.rule_hash = excluded.rule_hash and schedule.removed_at is null
                        then schedule.skip_id end""",
                now,
                texts(each(specs, Spec::name)),
                texts(each(specs, Spec::spec)),
                texts(each(specs, Spec::hash)),
                texts(each(specs, Spec::ruleHash)));
    }

    /**
     * Gives a schedule its new name: watermark, skips and runs stay with it. Does nothing where the old name is not in use,
     * or the new one is taken.
     *
     * @return whether it was renamed
     */
    public static boolean rename(Connection connection, String from, String to) throws SQLException {
        return Sql.update(connection, """
                        update schedule set name = ? where name = ? and removed_at is null
                            and not exists (select from schedule as other where other.name = ?)""", to, from, to) == 1;
    }

    /** Marks schedules that the file no longer has; their history stays. */
    public static void remove(Connection connection, Collection<String> names, Instant now) throws SQLException {
        Sql.update(connection, """
                update schedule set removed_at = ?, watermark = greatest(watermark, ?), skip_id = null
                where name = any (?) and removed_at is null""", now, now, texts(names));
    }

    /** Pauses or resumes. The caller holds the row's lock, and has had all judged that was due before. */
    public static void pause(Connection connection, int id, boolean pause) throws SQLException {
        Sql.update(
                connection,
                "update schedule set paused_at = case when ? then clock() end, revision = revision + 1 where id = ?",
                pause,
                id);
    }

    /** Has the fire times up to {@code last} skipped. The caller holds the row's lock. */
    public static void skipTo(Connection connection, int id, Instant last) throws SQLException {
        Sql.update(connection, "update schedule set skip_to = ?, revision = revision + 1 where id = ?", last, id);
    }

    private static Row read(ResultSet row) throws SQLException {
        return new Row(
                row.getInt("id"),
                row.getString("name"),
                row.getString("spec"),
                row.getString("hash"),
                row.getString("rule_hash"),
                Sql.instant(row, "watermark"),
                Optional.ofNullable((Long) row.getObject("skip_id")),
                Sql.optionalInstant(row, "paused_at"),
                Sql.optionalInstant(row, "skip_to"),
                row.getInt("revision"),
                row.getTimestamp("removed_at") != null);
    }

    private static <S, T> List<T> each(List<S> rows, Function<S, T> field) {
        return rows.stream().map(field).toList();
    }
}
