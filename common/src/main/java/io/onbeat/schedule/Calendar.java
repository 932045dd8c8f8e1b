package io.onbeat.schedule;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Days with a name, such as the holidays of a country.
 *
 * @param ranges in order, with at least a day between them: calendars of the same days are equal, however they were written
 */
public record Calendar(String name, List<DateRange> ranges) {
    public Calendar {
        ranges = merged(ranges);
    }

    private static List<DateRange> merged(List<DateRange> ranges) {
        List<DateRange> merged = new ArrayList<>();
        for (DateRange range :
                ranges.stream().sorted(Comparator.comparing(DateRange::first)).toList()) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).reaches(range)) {
                merged.set(last, merged.get(last).and(range));
            } else {
                merged.add(range);
            }
        }
        return List.copyOf(merged);
    }

    /** The range that the date is in. */
    Optional<DateRange> holding(LocalDate date) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ranges.get(middle).last().isBefore(date)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < ranges.size() && ranges.get(low).holds(date) ? Optional.of(ranges.get(low)) : Optional.empty();
    }
}
