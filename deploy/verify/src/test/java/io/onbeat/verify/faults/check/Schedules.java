package io.onbeat.verify.faults.check;

import io.onbeat.ledger.Sql;
import io.onbeat.schedule.FireTimes;
import io.onbeat.schedule.Schedule;
import io.onbeat.verify.system.Books;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every schedule's way through the test, as the journal has it, and from that the fire times that were due: computed anew,
 * from the rule that was in force and the time that was passed under it.
 */
record Schedules(List<Way> ways) {

    /** A schedule's row after a change. */
    record Stop(long id, Instant at, String name, String spec, String ruleHash, Instant watermark, boolean removed) {
        Schedule schedule() {
            return Schedule.fromJson(name, spec);
        }
    }

    /** @param stops of one schedule, in their order */
    record Way(int scheduleId, List<Stop> stops) {
        Stop first() {
            return stops.get(0);
        }

        Stop last() {
            return stops.get(stops.size() - 1);
        }

        /** The schedule at the end. */
        Schedule schedule() {
            return last().schedule();
        }

        /** Still to be fired at the end. */
        boolean inForce() {
            return !last().removed && schedule().enabled();
        }

        /** The fire times that its watermark has passed, with the schedule as it was then. */
        NavigableMap<Instant, Schedule> due() {
            NavigableMap<Instant, Schedule> due = new TreeMap<>();
            for (int i = 1; i < stops.size(); i++) {
                Stop before = stops.get(i - 1);
                Stop after = stops.get(i);
                // an edit of the rule moves the watermark to now, after all was judged by the old rule
                if (before.ruleHash.equals(after.ruleHash) && !before.removed && !after.removed) {
                    Schedule schedule = before.schedule();
                    if (schedule.enabled()) {
                        between(schedule.fireTimes(), before.watermark, after.watermark)
                                .forEach(fire -> due.put(fire, schedule));
                    }
                }
            }
            return due;
        }

        private static List<Instant> between(FireTimes times, Instant after, Instant to) {
            List<Instant> fires = new ArrayList<>();
            Optional<Instant> next = times.next(after).filter(fire -> !fire.isAfter(to));
            while (next.isPresent()) {
                fires.add(next.get());
                next = times.next(next.get()).filter(fire -> !fire.isAfter(to));
            }
            return fires;
        }
    }

    static Schedules read(Books books) throws SQLException {
        Map<Integer, List<Stop>> stops = new HashMap<>();
        try (Connection connection = books.ledger().connection()) {
            Sql.list(
                    connection,
                    "select * from verify.schedule_journal order by schedule_id, id",
                    row -> stops.computeIfAbsent(row.getInt("schedule_id"), id -> new ArrayList<>())
                            .add(new Stop(
                                    row.getLong("id"),
                                    Sql.instant(row, "at"),
                                    row.getString("name"),
                                    row.getString("spec"),
                                    row.getString("rule_hash"),
                                    Sql.instant(row, "watermark"),
                                    row.getBoolean("removed"))));
        }
        List<Way> ways = new ArrayList<>();
        stops.forEach((id, way) -> ways.add(new Way(id, way)));
        return new Schedules(ways);
    }
}
