package io.onbeat.beat.fire;

import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.TaskLimits;
import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the ledger's schedules to what the file says: only the difference is written. Invariant: where a schedule will fire
 * at other times, or no more, what was due under its old rule is judged by that rule first, in the same transaction.
 */
final class Reload {
    private static final Logger log = LoggerFactory.getLogger(Reload.class);
    private static final int BATCH = 1_000;

    private final Ledger ledger;

    Reload(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Applies {@code wanted}.
     *
     * @param inForce what this beat applied last; empty after it took the lead, when the whole ledger is compared
     * @return the schedules that are to be put into the due index: all that fire after a take-over, else the changed ones
     */
    List<ActiveSchedule> apply(Leader.Term term, ScheduleSet wanted, Optional<ScheduleSet> inForce, Instant now)
            throws SQLException {
        // what takes a while with many schedules is done before and after: the database ends a transaction that is idle
        List<Candidate> candidates = candidates(wanted, inForce);
        List<Schedules.Row> written = ledger.transaction(connection -> {
            FireTransaction.confirmLeadership(connection, term);
            rename(connection, wanted);
            Map<String, Schedules.Row> rows = new HashMap<>();
            List<Schedules.Row> looked = inForce.isEmpty()
                    ? Schedules.all(connection)
                    : Schedules.lock(connection, touched(inForce.get(), wanted));
            looked.forEach(row -> rows.put(row.name(), row));
            List<Candidate> changed = candidates.stream()
                    .filter(candidate -> candidate.differs(rows.get(candidate.name())))
                    .toList();
            List<Schedules.Row> removed = rows.values().stream()
                    .filter(row -> !row.removed() && wanted.find(row.name()).isEmpty())
                    .toList();
            judgeByOldRule(connection, replaced(rows, changed, removed), now);
            write(connection, changed, removed, now);
            if (TaskLimits.put(connection, wanted.limits())) {
                log.info("limits of tasks in force: {}", wanted.limits());
            }
            CrashPoint.RELOAD_WRITTEN.pass();
            return inForce.isEmpty()
                    ? Schedules.all(connection)
                    : Schedules.lock(
                            connection, changed.stream().map(Candidate::name).toList());
        });
        return active(written, wanted);
    }

    /** A schedule that may not be in the ledger as it is now, with its hashes. */
    private record Candidate(Schedule schedule, String hash, String ruleHash) {
        static Candidate of(Schedule schedule) {
            return new Candidate(schedule, schedule.hash(), schedule.ruleHash());
        }

        String name() {
            return schedule.name();
        }

        boolean differs(Schedules.Row row) {
            return row == null || row.removed() || !row.hash().equals(hash);
        }

        boolean firesDifferently(Schedules.Row row) {
            return !row.ruleHash().equals(ruleHash);
        }
    }

    private static List<Candidate> candidates(ScheduleSet wanted, Optional<ScheduleSet> inForce) {
        return wanted.all().stream()
                .filter(schedule -> inForce.isEmpty() || differs(inForce.get(), schedule))
                .map(Candidate::of)
                .toList();
    }

    private static void rename(Connection connection, ScheduleSet wanted) throws SQLException {
        for (Schedule schedule : wanted.all()) {
            if (schedule.was().isPresent()
                    && Schedules.rename(connection, schedule.was().get(), schedule.name())) {
                log.info("schedule {} is called {} from now on", schedule.was().get(), schedule.name());
            }
        }
    }

    /** The last applied schedules, and those of them that fire. */
    record FromLedger(ScheduleSet schedules, List<ActiveSchedule> active) {}

    FromLedger fromLedger() throws SQLException {
        List<Schedule> schedules = new ArrayList<>();
        List<ActiveSchedule> active = new ArrayList<>();
        try (Connection connection = ledger.connection()) {
            for (Schedules.Row row : Schedules.all(connection)) {
                Optional<Schedule> spec = row.removed() ? Optional.empty() : spec(row);
                spec.ifPresent(schedules::add);
                spec.filter(Schedule::enabled).ifPresent(enabled -> active.add(ActiveSchedule.of(row, enabled)));
            }
        }
        return new FromLedger(new ScheduleSet(schedules), active);
    }

    /** The names that {@code after} has no more, or that fire no more. */
    Set<String> gone(ScheduleSet before, ScheduleSet after) {
        Set<String> gone = new HashSet<>();
        for (Schedule schedule : before.all()) {
            if (after.find(schedule.name()).filter(Schedule::enabled).isEmpty()) {
                gone.add(schedule.name());
            }
        }
        return gone;
    }

    /** A row as a schedule that fires; empty where it is disabled or removed, or its spec cannot be read. */
    Optional<ActiveSchedule> active(Schedules.Row row) {
        return row.removed()
                ? Optional.empty()
                : spec(row).filter(Schedule::enabled).map(schedule -> ActiveSchedule.of(row, schedule));
    }

    private static Optional<Schedule> spec(Schedules.Row row) {
        try {
            return Optional.of(Schedule.fromJson(row.name(), row.spec()));
        } catch (InvalidSchedule unreadable) {
            log.error(
                    "the ledger's spec of {} cannot be read, so it does not fire: {}",
                    row.name(),
                    unreadable.getMessage());
            return Optional.empty();
        }
    }

    private static Set<String> touched(ScheduleSet before, ScheduleSet after) {
        ScheduleSet.Changes changes = before.changesTo(after);
        Set<String> names = new HashSet<>();
        changes.added().forEach(schedule -> names.add(schedule.name()));
        changes.removed().forEach(schedule -> names.add(schedule.name()));
        changes.changed().forEach(change -> names.add(change.after().name()));
        return names;
    }

    private static boolean differs(ScheduleSet before, Schedule schedule) {
        return before.find(schedule.name()).filter(schedule::equals).isEmpty();
    }

    private static List<Schedules.Row> replaced(
            Map<String, Schedules.Row> rows, List<Candidate> changed, List<Schedules.Row> removed) {
        List<Schedules.Row> replaced = new ArrayList<>(removed);
        for (Candidate candidate : changed) {
            Schedules.Row row = rows.get(candidate.name());
            if (row != null && !row.removed() && candidate.firesDifferently(row)) {
                replaced.add(row);
            }
        }
        return replaced;
    }

    private void judgeByOldRule(Connection connection, List<Schedules.Row> replaced, Instant now) throws SQLException {
        for (int start = 0; start < replaced.size(); start += BATCH) {
            List<Schedules.Row> rows = replaced.subList(start, Math.min(start + BATCH, replaced.size()));
            OwedFires.judge(
                    connection,
                    rows.stream().flatMap(row -> active(row).stream()).toList(),
                    now);
        }
    }

    private static void write(Connection connection, List<Candidate> changed, List<Schedules.Row> removed, Instant now)
            throws SQLException {
        for (int start = 0; start < changed.size(); start += BATCH) {
            List<Schedules.Spec> specs = changed.subList(start, Math.min(start + BATCH, changed.size())).stream()
                    .map(candidate -> new Schedules.Spec(
                            candidate.name(), candidate.schedule.toJson(), candidate.hash, candidate.ruleHash))
                    .toList();
            Schedules.put(connection, specs, now);
        }
        if (!removed.isEmpty()) {
            Schedules.remove(
                    connection, removed.stream().map(Schedules.Row::name).toList(), now);
        }
    }

    private static List<ActiveSchedule> active(List<Schedules.Row> rows, ScheduleSet wanted) {
        List<ActiveSchedule> active = new ArrayList<>();
        for (Schedules.Row row : rows) {
            wanted.find(row.name())
                    .filter(Schedule::enabled)
                    .ifPresent(spec -> active.add(ActiveSchedule.of(row, spec)));
        }
        return active;
    }
}
