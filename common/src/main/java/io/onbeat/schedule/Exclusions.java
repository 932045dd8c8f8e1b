package io.onbeat.schedule;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The calendars on whose days a schedule does not run. They are part of its spec, dates and all, so that a copy judges alike. */
public record Exclusions(List<Calendar> calendars) {
    public static final Exclusions NONE = new Exclusions(List.of());

    public Exclusions {
        calendars = calendars.stream()
                .distinct()
                .sorted(Comparator.comparing(Calendar::name))
                .toList();
    }

    public boolean isEmpty() {
        return calendars.isEmpty();
    }

    public boolean excludes(LocalDate date) {
        return range(date).isPresent();
    }

    /** The last day of the excluded ones in a row, as far as one calendar knows, where the date is one of them. */
    Optional<LocalDate> lastOf(LocalDate date) {
        return range(date).map(DateRange::last);
    }

    private Optional<DateRange> range(LocalDate date) {
        return calendars.stream()
                .flatMap(calendar -> calendar.holding(date).stream())
                .findFirst();
    }
}
