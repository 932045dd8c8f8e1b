package io.onbeat.schedule;

import java.time.LocalDate;

/** A month as the day rules see it; days of the week count from 0 = Sunday. */
record CalendarMonth(int length, int firstWeekday) {
    static CalendarMonth of(int year, int month) {
        LocalDate first = LocalDate.of(year, month, 1);
        return new CalendarMonth(first.lengthOfMonth(), first.getDayOfWeek().getValue() % 7);
    }

    int weekday(int day) {
        return (firstWeekday + day - 1) % 7;
    }

    /** The first day of the month that falls on the weekday. */
    int first(int weekday) {
        return 1 + Math.floorMod(weekday - firstWeekday, 7);
    }

    /** A day as a bit, or no bit when the month does not have it. */
    long bit(int day) {
        return day >= 1 && day <= length ? 1L << day : 0;
    }

    /** The bits 1 to length. */
    long all() {
        return (1L << length + 1) - 2;
    }
}
