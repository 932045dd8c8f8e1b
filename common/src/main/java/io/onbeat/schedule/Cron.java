package io.onbeat.schedule;

import java.time.LocalDate;
import java.util.BitSet;

/**
 * The fields of a cron expression, each a set of bits, on a timeline without a zone.
 *
 * @param everyInstant whether the text of the hour field starts with {@code *}
 */
record Cron(long seconds, long minutes, long hours, DayRule days, long months, BitSet years, boolean everyInstant) {
    static final long NONE = Long.MIN_VALUE;

    private static final int DAY = 86_400;
    private static final int ABSENT = -1;

    /** The first match at or after a second of local time (counted from 1970-01-01T00:00 local), through the end of {@code lastYear}. */
    long nextOrSame(long local, int lastYear) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(local, DAY));
        if (matches(date)) {
            int time = nextTime(Math.floorMod(local, DAY));
            if (time != ABSENT) {
                return date.toEpochDay() * DAY + time;
            }
        }
        return firstTimeFrom(date.plusDays(1), lastYear);
    }

    private boolean matches(LocalDate date) {
        return matchesYear(date.getYear())
                && next(months, date.getMonthValue()) == date.getMonthValue()
                && next(daysOf(date.getYear(), date.getMonthValue()), date.getDayOfMonth()) == date.getDayOfMonth();
    }

    private long firstTimeFrom(LocalDate date, int lastYear) {
        int day = date.getDayOfMonth();
        int from = date.getMonthValue();
        for (int year = date.getYear(); year <= lastYear; year++) {
            if (matchesYear(year)) {
                for (int month = next(months, from); month != ABSENT; month = next(months, month + 1)) {
                    int match = next(daysOf(year, month), month == from ? day : 1);
                    if (match != ABSENT) {
                        return LocalDate.of(year, month, match).toEpochDay() * DAY + nextTime(0);
                    }
                }
            }
            from = 1;
            day = 1;
        }
        return NONE;
    }

    /** No year field means any year, beyond those that the field can name too. */
    private boolean matchesYear(int year) {
        return years.isEmpty() || year >= 0 && years.get(year);
    }

    private long daysOf(int year, int month) {
        return days.in(CalendarMonth.of(year, month));
    }

    private int nextTime(int second) {
        int hour = second / 3600;
        int minute = second / 60 % 60;
        if (next(hours, hour) == hour) {
            int late = next(minutes, minute) == minute ? next(seconds, second % 60) : ABSENT;
            if (late != ABSENT) {
                return hour * 3600 + minute * 60 + late;
            }
            int later = next(minutes, minute + 1);
            if (later != ABSENT) {
                return hour * 3600 + later * 60 + next(seconds, 0);
            }
            hour++;
        }
        int first = next(hours, hour);
        return first == ABSENT ? ABSENT : first * 3600 + next(minutes, 0) * 60 + next(seconds, 0);
    }

    private static int next(long bits, int from) {
        long rest = bits & (-1L << from);
        return rest == 0 ? ABSENT : Long.numberOfTrailingZeros(rest);
    }
}
