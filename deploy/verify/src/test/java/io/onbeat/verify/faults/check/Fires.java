package io.onbeat.verify.faults.check;

import io.onbeat.ledger.Sql;
import io.onbeat.run.Origin;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Schedule;
import io.onbeat.verify.system.Books;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** What became of every fire that was due, and that nothing else was fired. */
final class Fires {
    static final String ACCOUNTED = "every due fire is a run or part of a skip";
    static final String ONCE = "no fire is both a run and part of a skip, or part of two skips";
    static final String BACKFILLED = "no fire is backfilled that is not part of a skip";
    static final String COUNTED = "a skip counts the due fires from its first to its last";
    static final String DUE = "no run is of a time at which its schedule was not due";
    static final String JUDGED = "at the end every fire that is due is judged";
    static final String WATERMARK = "a watermark never falls";
    static final String NOT_AHEAD = "no watermark is ahead of the ledger's clock";

    /** Between the clock of the machine and that of its processes. */
    private static final Duration DRIFT = Duration.ofMillis(100);

    private final Books books;
    private final Instant to;
    private final List<Violation> violations = new ArrayList<>();

    private Fires(Books books, Instant to) {
        this.books = books;
        this.to = to;
    }

    private record Skip(String reason, Instant first, Instant last, long count) {
        @Override
        public String toString() {
            return reason + " " + first + " to " + last + ", count " + count;
        }
    }

    static List<Violation> check(Books books, Schedules schedules, Instant to) throws SQLException {
        Fires fires = new Fires(books, to);
        for (Schedules.Way way : schedules.ways()) {
            fires.watermarks(way);
            fires.account(way);
        }
        return fires.violations;
    }

    private void watermarks(Schedules.Way way) {
        Schedules.Stop before = way.first();
        for (Schedules.Stop stop : way.stops()) {
            if (stop.watermark().isBefore(before.watermark())) {
                broken(
                        WATERMARK,
                        stop.name() + " fell from " + before.watermark() + " to " + stop.watermark() + " at "
                                + stop.at());
            }
            if (stop.watermark().isAfter(stop.at().plus(DRIFT))) {
                broken(NOT_AHEAD, stop.name() + " is at " + stop.watermark() + " at " + stop.at());
            }
            before = stop;
        }
        if (way.inForce()) {
            way.schedule()
                    .fireTimes()
                    .next(way.last().watermark())
                    .filter(fire -> !fire.isAfter(to))
                    .ifPresent(fire -> broken(
                            JUDGED,
                            way.last().name() + " was due at " + fire + ", and its watermark is at "
                                    + way.last().watermark()));
        }
    }

    private void account(Schedules.Way way) throws SQLException {
        NavigableMap<Instant, Schedule> due = way.due();
        Map<String, Instant> runs = runs(way, Origin.SCHEDULE);
        List<Skip> skips = skips(way);
        Map<Instant, Integer> skipped = new HashMap<>();
        for (Skip skip : skips) {
            Set<Instant> covered = due.subMap(skip.first, true, skip.last, true).keySet();
            covered.forEach(fire -> skipped.merge(fire, 1, Integer::sum));
            if (covered.size() != skip.count || !covered.contains(skip.first) || !covered.contains(skip.last)) {
                broken(
                        COUNTED,
                        way.last().name() + " has the skip " + skip + ", and was due " + covered.size() + " times");
            }
        }
        Set<String> dueKeys = new HashSet<>();
        due.forEach((fire, schedule) -> {
            String key = RunKey.of(schedule, fire).value();
            dueKeys.add(key);
            // under unique_by the run of another fire may have the key
            int places = skipped.getOrDefault(fire, 0) + (fire.equals(runs.get(key)) ? 1 : 0);
            if (places == 0 && !runs.containsKey(key)) {
                broken(ACCOUNTED, key + " is neither");
            } else if (places > 1) {
                broken(ONCE, key + " is in " + places + " places");
            }
        });
        runs(way, Origin.BACKFILL).forEach((key, fire) -> {
            if (!skipped.containsKey(fire)) {
                broken(BACKFILLED, key);
            }
        });
        runs.forEach((key, fire) -> {
            if (!dueKeys.contains(key)) {
                broken(DUE, key);
            }
        });
    }

    // by key: the fire times of the schedule's runs since the journal began
    private Map<String, Instant> runs(Schedules.Way way, Origin origin) throws SQLException {
        Map<String, Instant> runs = new HashMap<>();
        try (Connection connection = books.ledger().connection()) {
            Sql.list(
                    connection,
                    "select key, fire_at from run where schedule_id = ? and origin = ? and fire_at > ?",
                    row -> runs.put(row.getString("key"), Sql.instant(row, "fire_at")),
                    way.scheduleId(),
                    origin.word(),
                    way.first().watermark());
        }
        return runs;
    }

    private List<Skip> skips(Schedules.Way way) throws SQLException {
        try (Connection connection = books.ledger().connection()) {
            return Sql.list(
                    connection,
                    "select reason, first, last, count from skip where schedule_id = ? and first > ? order by first",
                    row -> new Skip(
                            row.getString("reason"),
                            Sql.instant(row, "first"),
                            Sql.instant(row, "last"),
                            row.getLong("count")),
                    way.scheduleId(),
                    way.first().watermark());
        }
    }

    private void broken(String sentence, String what) {
        violations.add(new Violation(sentence, what));
    }
}
