package io.onbeat.beat.cli;

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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the schedules of a file would change of those that the ledger has. */
final class ScheduleDiff {
    private final Map<String, Schedules.Row> inForce = new TreeMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> kept = new HashSet<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<LimitChange> limits = new ArrayList<>();
    private final Instant now;
    private int unchanged;

    /** How a schedule would change. */
    enum Kind {
        ADDED("added"),
        REMOVED("removed"),
        CHANGED("changed"),
        RENAMED("renamed");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }

    /**
     * One schedule that would change.
     *
     * @param was the name that its history is under now
     * @param keys whose values differ
     * @param retimed whether it fires at other times
     */
    record Entry(
            Kind kind,
            String name,
            String was,
            List<String> keys,
            boolean retimed,
            String nextBefore,
            String nextAfter) {}

    /** How the limit of a task would change; empty stands for none. */
    record LimitChange(String task, Optional<Integer> before, Optional<Integer> after) {}

    private ScheduleDiff(Instant now) {
        this.now = now;
    }

    static ScheduleDiff of(Ledger ledger, ScheduleSet wanted) throws SQLException {
        ScheduleDiff diff = new ScheduleDiff(ledger.now());
        try (Connection connection = ledger.connection()) {
            Schedules.all(connection).forEach(diff::know);
            diff.compareLimits(TaskLimits.all(connection), wanted.limits());
        }
        wanted.all().forEach(diff::compare);
        diff.inForce.values().stream()
                .filter(row -> !diff.kept.contains(row.name()))
                .forEach(diff::remove);
        return diff;
    }

    /** Those of the file by name, then those that it has no more. */
    List<Entry> entries() {
        return entries;
    }

    long count(Kind kind) {
        return entries.stream().filter(entry -> entry.kind == kind).count();
    }

    int unchanged() {
        return unchanged;
    }

    private void know(Schedules.Row row) {
        taken.add(row.name());
        if (!row.removed()) {
            inForce.put(row.name(), row);
        }
    }

    List<LimitChange> limits() {
        return limits;
    }

    private void compareLimits(Map<String, Integer> before, Map<String, Integer> after) {
        Set<String> tasks = new TreeSet<>(before.keySet());
        tasks.addAll(after.keySet());
        tasks.stream()
                .map(task -> new LimitChange(
                        task, Optional.ofNullable(before.get(task)), Optional.ofNullable(after.get(task))))
                .filter(limit -> !limit.before().equals(limit.after()))
                .forEach(limits::add);
    }

    private void compare(Schedule after) {
        // a name that has a history, if only of a removed schedule, is not given to another's
        String old = taken.contains(after.name())
                ? after.name()
                : after.was().filter(inForce::containsKey).orElse(after.name());
        Optional<Schedules.Row> row = Optional.ofNullable(inForce.get(old));
        kept.add(old);
        if (row.isEmpty()) {
            entries.add(new Entry(Kind.ADDED, after.name(), "", List.of(), true, "-", next(after)));
        } else if (old.equals(after.name()) && row.get().hash().equals(after.hash())) {
            unchanged++;
        } else {
            entries.add(entry(row.get(), after));
        }
    }

    private Entry entry(Schedules.Row row, Schedule after) {
        Kind kind = row.name().equals(after.name()) ? Kind.CHANGED : Kind.RENAMED;
        Optional<Schedule> before = read(row);
        return new Entry(
                kind,
                after.name(),
                kind == Kind.RENAMED ? row.name() : "",
                before.map(old -> new ScheduleSet.Change(old, after).keys()).orElse(List.of()),
                !row.ruleHash().equals(after.ruleHash()),
                next(row, before),
                next(row, Optional.of(after)));
    }

    private void remove(Schedules.Row row) {
        entries.add(new Entry(Kind.REMOVED, row.name(), "", List.of(), true, next(row, read(row)), "-"));
    }

    private static Optional<Schedule> read(Schedules.Row row) {
        try {
            return Optional.of(Schedule.fromJson(row.name(), row.spec()));
        } catch (InvalidSchedule ofAnotherVersion) {
            return Optional.empty();
        }
    }

    private String next(Schedules.Row row, Optional<Schedule> schedule) {
        return row.pausedAt().isPresent() ? "paused" : schedule.map(this::next).orElse("unreadable");
    }

    private String next(Schedule schedule) {
        return NextFire.of(schedule, now);
    }
}
