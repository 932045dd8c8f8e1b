package io.onbeat.schedule;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** All schedules that are in force together, by name. Immutable. */
public final class ScheduleSet {
    public static final ScheduleSet EMPTY = new ScheduleSet(List.of());

    private final SortedMap<String, Schedule> schedules;
    private final SortedMap<String, Integer> limits;

    public ScheduleSet(Collection<Schedule> schedules) {
        this(schedules, Collections.emptySortedMap());
    }

    /** @param limits by task, how many of its runs may run at once */
    public ScheduleSet(Collection<Schedule> schedules, SortedMap<String, Integer> limits) {
        this.limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
        SortedMap<String, Schedule> byName = new TreeMap<>();
        schedules.forEach(schedule -> byName.put(schedule.name(), schedule));
        this.schedules = Collections.unmodifiableSortedMap(byName);
    }

    public Optional<Schedule> find(String name) {
        return Optional.ofNullable(schedules.get(name));
    }

    /** In the order of their names. */
    public Collection<Schedule> all() {
        return schedules.values();
    }

    /** How many runs of a task may run at once, by task. */
    public SortedMap<String, Integer> limits() {
        return limits;
    }

    public Map<String, Schedule> byName() {
        return schedules;
    }

    public int size() {
        return schedules.size();
    }

    /** What turns this set into the newer one. */
    public Changes changesTo(ScheduleSet newer) {
        return new Changes(
                newer.all().stream()
                        .filter(schedule -> !schedules.containsKey(schedule.name()))
                        .toList(),
                all().stream()
                        .filter(schedule -> newer.find(schedule.name()).isEmpty())
                        .toList(),
                newer.all().stream()
                        .flatMap(schedule -> change(schedule).stream())
                        .toList());
    }

    private Optional<Change> change(Schedule after) {
        return find(after.name()).filter(before -> !before.equals(after)).map(before -> new Change(before, after));
    }

    public record Changes(List<Schedule> added, List<Schedule> removed, List<Change> changed) {
        public boolean isEmpty() {
            return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
        }
    }

    public record Change(Schedule before, Schedule after) {
        /** Whether it fires at other times than before, so that what was due must be judged by the old rule first. */
        public boolean firesDifferently() {
            return !before.timing().equals(after.timing());
        }

        /** The keys whose values differ, defaults filled in. */
        public List<String> keys() {
            return SpecDiff.keys(before, after);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScheduleSet set && schedules.equals(set.schedules) && limits.equals(set.limits);
    }

    @Override
    public int hashCode() {
        return Objects.hash(schedules, limits);
    }

    @Override
    public String toString() {
        return schedules.keySet().toString();
    }
}
