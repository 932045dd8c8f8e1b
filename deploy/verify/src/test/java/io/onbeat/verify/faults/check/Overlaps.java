package io.onbeat.verify.faults.check;

import io.onbeat.ledger.Sql;
import io.onbeat.schedule.Overlap;
import io.onbeat.verify.system.Books;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Overlap: skip and queue let one run of a schedule be active at a time. */
final class Overlaps {
    static final String ONE_ACTIVE = "a schedule whose runs may not overlap has one active run beside those that wait";
    static final String ONE_AT_WORK = "two attempts of a schedule whose runs may not overlap are never at work at once";

    private Overlaps() {}

    private record Step(String key, String was, String state, String origin, Instant at) {
        boolean active() {
            return Set.of("queued", "running", "retrying").contains(state);
        }

        boolean wasActive() {
            return Set.of("queued", "running", "retrying").contains(was);
        }

        /** Runs by hand and replays may overlap: people ask for them, and may ask for that. */
        boolean byItself() {
            return origin.equals("schedule") && !was.equals("dead");
        }
    }

    private record Work(String key, int attempt, Instant from, Instant to) {
        @Override
        public String toString() {
            return key + ", attempt " + attempt + ", " + from + " to " + to;
        }
    }

    static List<Violation> check(Books books, Schedules schedules) throws SQLException {
        List<Violation> violations = new ArrayList<>();
        for (Schedules.Way way : schedules.ways()) {
            if (neverOverlaps(way)) {
                try (Connection connection = books.ledger().connection()) {
                    violations.addAll(oneActive(steps(connection, way.scheduleId())));
                    violations.addAll(oneAtWork(work(connection, way.scheduleId())));
                }
            }
        }
        return violations;
    }

    private static boolean neverOverlaps(Schedules.Way way) {
        return way.stops().stream().map(Schedules.Stop::spec).distinct().collect(Collectors.toSet()).stream()
                .noneMatch(
                        spec -> io.onbeat.schedule.Schedule.fromJson(way.last().name(), spec)
                                        .policy()
                                        .overlap()
                                == Overlap.ALLOW);
    }

    // a run becomes active under the lock of its schedule's row, so the journal has it after the end of the one before
    private static List<Violation> oneActive(List<Step> steps) {
        List<Violation> violations = new ArrayList<>();
        Set<String> active = new HashSet<>();
        for (Step step : steps) {
            if (step.active() && !step.wasActive() && !active.isEmpty() && step.byItself()) {
                violations.add(new Violation(
                        ONE_ACTIVE, step.key + " became " + step.state + " at " + step.at + " beside " + active));
            }
            if (step.active()) {
                active.add(step.key);
            } else {
                active.remove(step.key);
            }
        }
        return violations;
    }

    private static List<Violation> oneAtWork(List<Work> work) {
        List<Violation> violations = new ArrayList<>();
        for (int i = 1; i < work.size(); i++) {
            Work before = work.get(i - 1);
            Work after = work.get(i);
            if (after.from.isBefore(before.to)) {
                violations.add(new Violation(ONE_AT_WORK, before + ", and " + after));
            }
        }
        return violations;
    }

    private static List<Step> steps(Connection connection, int scheduleId) throws SQLException {
        return Sql.list(
                connection,
                """
                select key, coalesce(was::text, '') as was, state, origin, at from verify.run_journal
                where schedule_id = ? order by id""",
                row -> new Step(
                        row.getString("key"),
                        row.getString("was"),
                        row.getString("state"),
                        row.getString("origin"),
                        Sql.instant(row, "at")),
                scheduleId);
    }

    // From its start until its task ended or the ledger had it ended, whichever was first: what a worker does that has
    // lost
    // the lease is not held against the schedule. An attempt that began after that began without the lease.
    private static List<Work> work(Connection connection, int scheduleId) throws SQLException {
        return Sql.list(
                connection,
                """
                select start.run_key, start.attempt, start.started_at, least(start.finished_at, ended.at) as until
                from run join verify.start on start.run_key = run.key
                cross join lateral (select min(step.at) as at from verify.run_journal as step
                    where step.run_id = run.id and step.attempt = start.attempt
                          and step.was = 'running' and step.state <> 'running') as ended
                where run.schedule_id = ? and run.origin = 'schedule'
                      and start.started_at < least(start.finished_at, ended.at)
                      and not exists (select from verify.run_journal as replay
                          where replay.run_id = run.id and replay.was = 'dead' and replay.state in ('queued', 'waiting'))
                order by start.started_at""",
                row -> new Work(
                        row.getString("run_key"),
                        row.getInt("attempt"),
                        Sql.instant(row, "started_at"),
                        Sql.instant(row, "until")),
                scheduleId);
    }
}
