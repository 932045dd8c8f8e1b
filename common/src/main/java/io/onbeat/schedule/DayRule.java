package io.onbeat.schedule;

import java.util.List;

/** Which days of a month match: bit d stands for day d. */
sealed interface DayRule {
    long in(CalendarMonth month);

    record Days(long bits) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return bits & month.all();
        }
    }

    /** {@code L} and {@code L-n}; a month that is too short for the offset has no such day. */
    record FromLast(int offset) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return month.bit(month.length() - offset);
        }
    }

    /** {@code nW}: the weekday nearest to day n, never in another month. */
    record NearestWeekday(int day) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            if (day > month.length()) {
                return 0;
            }
            return switch (month.weekday(day)) {
                case 6 -> month.bit(day > 1 ? day - 1 : day + 2);
                case 0 -> month.bit(day < month.length() ? day + 1 : day - 2);
                default -> month.bit(day);
            };
        }
    }

    /** {@code LW}: the last Monday to Friday of the month. */
    record LastWeekday() implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return new NearestWeekday(month.length()).in(month);
        }
    }

    /** Days of the week; bit 0 is Sunday. */
    record Weekdays(int bits) implements DayRule {
        private static final long WEEKLY = 1L | 1L << 7 | 1L << 14 | 1L << 21 | 1L << 28;

        @Override
        public long in(CalendarMonth month) {
            long days = 0;
            for (int weekday = 0; weekday < 7; weekday++) {
                if ((bits >> weekday & 1) == 1) {
                    days |= WEEKLY << month.first(weekday);
                }
            }
            return days & month.all();
        }
    }

    /** {@code n#k}: months without a k-th such weekday have none. */
    record NthOfWeekday(int weekday, int nth) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return month.bit(month.first(weekday) + 7 * (nth - 1));
        }
    }

    /** {@code nL}: the last such weekday of the month. */
    record LastOfWeekday(int weekday) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return month.bit(month.length() - Math.floorMod(month.weekday(month.length()) - weekday, 7));
        }
    }

    record Either(List<DayRule> rules) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            long days = 0;
            for (DayRule rule : rules) {
                days |= rule.in(month);
            }
            return days;
        }
    }

    record Both(DayRule one, DayRule other) implements DayRule {
        @Override
        public long in(CalendarMonth month) {
            return one.in(month) & other.in(month);
        }
    }
}
