package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.instants;
import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Due fires that became no run. */
public final class Skips {
    private Skips() {}

    public enum Reason {
        /** too late, by the schedule's catch-up policy */
        MISSED,
        PAUSED,
        /** an earlier run of the schedule was still active */
        OVERLAP,
        /** a calendar took it out */
        EXCLUDED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Reason of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** Fires {@code first} to {@code last} of one schedule, {@code count} of them in a row, for one reason. */
    public record Range(int scheduleId, Reason reason, Instant first, Instant last, long count) {
        public Range and(Instant next) {
            return new Range(scheduleId, reason, first, next, count + 1);
        }
    }

    /** A range that may go on where an earlier one ended. */
    public record Continued(Range range, Optional<Long> after) {}

    /**
     * Writes ranges; one that carries on {@code after} with the same reason makes that one longer.
     *
     * @return the id of the skip that each range is part of, in their order
     */
    public static List<Long> add(Connection connection, List<Continued> ranges) throws SQLException {
        Map<Long, Long> extended = extend(
                connection, ranges.stream().filter(c -> c.after().isPresent()).toList());
        List<Continued> fresh = ranges.stream()
                .filter(c -> !c.after().map(extended::containsKey).orElse(false))
                .toList();
        List<Long> inserted =
                insert(connection, fresh.stream().map(Continued::range).toList());
        Map<Continued, Long> ids = new HashMap<>();
        for (int i = 0; i < fresh.size(); i++) {
            ids.put(fresh.get(i), inserted.get(i));
        }
        List<Long> answers = new ArrayList<>(ranges.size());
        for (Continued range : ranges) {
            Long id = ids.get(range);
            answers.add(id != null ? id : range.after().orElseThrow());
        }
        return answers;
    }

    private static Map<Long, Long> extend(Connection connection, List<Continued> ranges) throws SQLException {
        Map<Long, Long> extended = new HashMap<>();
        if (ranges.isEmpty()) {
            return extended;
        }
        Sql.list(
                connection,
                """
                update skip set last = more.last, count = skip.count + more.count
                from unnest(?, ?, ?, ?) as more (id, reason, last, count)
                where skip.id = more.id and skip.reason = more.reason
                returning skip.id""",
                row -> extended.put(row.getLong(1), row.getLong(1)),
                longs(ranges.stream().map(c -> c.after().orElseThrow()).toList()),
                texts(ranges.stream().map(c -> c.range().reason().word()).toList()),
                instants(ranges.stream().map(c -> c.range().last()).toList()),
                longs(ranges.stream().map(c -> c.range().count()).toList()));
        return extended;
    }

    private static List<Long> insert(Connection connection, List<Range> ranges) throws SQLException {
        if (ranges.isEmpty()) {
            return List.of();
        }
        return Sql.list(
                connection,
                """
                with new as materialized (
                    select * from unnest(?, ?, ?, ?, ?) with ordinality
                        as n (schedule_id, reason, first, last, count, place)
                ), numbered as materialized (
                    select nextval(pg_get_serial_sequence('skip', 'id')) as id, * from new order by place
                ), written as (
                    insert into skip (id, schedule_id, reason, first, last, count) overriding system value
                    select id, schedule_id, reason, first, last, count from numbered
                )
                select id from numbered order by place""",
                row -> row.getLong(1),
                ints(ranges.stream().map(Range::scheduleId).toList()),
                texts(ranges.stream().map(r -> r.reason().word()).toList()),
                instants(ranges.stream().map(Range::first).toList()),
                instants(ranges.stream().map(Range::last).toList()),
                longs(ranges.stream().map(Range::count).toList()));
    }
}
