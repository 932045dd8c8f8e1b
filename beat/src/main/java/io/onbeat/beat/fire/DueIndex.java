package io.onbeat.beat.fire;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** The schedules that fire, in the order in which they are due next. For one thread. */
final class DueIndex {
    private record Next(Instant fireTime, int id) {}

    private final Map<Integer, ActiveSchedule> schedules = new HashMap<>();
    private final Map<Integer, Next> nexts = new HashMap<>();
    private final NavigableSet<Next> order =
            new TreeSet<>(Comparator.comparing(Next::fireTime).thenComparing(Next::id));

    void put(ActiveSchedule schedule) {
        remove(schedule.id());
        schedules.put(schedule.id(), schedule);
        schedule.spec().fireTimes().next(schedule.watermark()).ifPresent(fireTime -> {
            Next next = new Next(fireTime, schedule.id());
            nexts.put(schedule.id(), next);
            order.add(next);
        });
    }

    void remove(int id) {
        schedules.remove(id);
        Next next = nexts.remove(id);
        if (next != null) {
            order.remove(next);
        }
    }

    void clear() {
        schedules.clear();
        nexts.clear();
        order.clear();
    }

    /** Up to {@code most} schedules that are due, longest due first. */
    List<ActiveSchedule> due(Instant now, int most) {
        List<ActiveSchedule> due = new ArrayList<>();
        for (Next next : order) {
            if (next.fireTime.isAfter(now) || due.size() == most) {
                break;
            }
            due.add(schedules.get(next.id));
        }
        return due;
    }

    /** The next fire time of them all. */
    Optional<Instant> next() {
        return order.isEmpty() ? Optional.empty() : Optional.of(order.first().fireTime);
    }

    Collection<ActiveSchedule> all() {
        return schedules.values();
    }

    int size() {
        return schedules.size();
    }
}
