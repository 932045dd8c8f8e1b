package io.onbeat.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The two day fields of the Quartz dialect, exactly one of which is {@code ?}. */
final class QuartzDays {
    private static final int SATURDAY = 7;

    private QuartzDays() {}

    static DayRule parse(String day, String weekday) {
        if (day.equals("?") == weekday.equals("?")) {
            throw new InvalidSchedule("day of month \"" + day + "\" and day of week \"" + weekday
                    + "\": exactly one of them must be '?' in a 6- or 7-field cron");
        }
        return day.equals("?") ? weekdays(weekday) : days(day);
    }

    private static DayRule days(String text) {
        BitSet plain = new BitSet();
        List<DayRule> rules = new ArrayList<>();
        for (String item : CronParser.items(CronField.DAY_OF_MONTH, text)) {
            if (item.equals("L")) {
                rules.add(new DayRule.FromLast(0));
            } else if (item.equals("LW")) {
                rules.add(new DayRule.LastWeekday());
            } else if (item.startsWith("L-")) {
                rules.add(new DayRule.FromLast(offset(item)));
            } else if (item.endsWith("W")) {
                String number = item.substring(0, item.length() - 1);
                rules.add(new DayRule.NearestWeekday(CronField.DAY_OF_MONTH.value(item, number)));
            } else {
                CronField.DAY_OF_MONTH.add(item, true, plain);
            }
        }
        return union(rules, plain.isEmpty() ? List.of() : List.of(new DayRule.Days(plain.toLongArray()[0])));
    }

    private static int offset(String item) {
        String number = item.substring(2);
        if (!CronField.isNumber(number) || number.length() > 2 || Integer.parseInt(number) > 30) {
            throw CronField.DAY_OF_MONTH.invalid(item, "is not valid: use L-1 to L-30");
        }
        return Integer.parseInt(number);
    }

    private static DayRule weekdays(String text) {
        BitSet plain = new BitSet();
        List<DayRule> rules = new ArrayList<>();
        for (String item : CronParser.items(CronField.QUARTZ_DAY_OF_WEEK, text)) {
            int hash = item.indexOf('#');
            if (item.equals("L")) {
                plain.set(SATURDAY);
            } else if (item.endsWith("L")) {
                rules.add(new DayRule.LastOfWeekday(weekday(item, item.substring(0, item.length() - 1))));
            } else if (hash >= 0) {
                rules.add(new DayRule.NthOfWeekday(weekday(item, item.substring(0, hash)), nth(item, hash)));
            } else {
                CronField.QUARTZ_DAY_OF_WEEK.add(item, true, plain);
            }
        }
        return union(
                rules,
                plain.isEmpty() ? List.of() : List.of(new DayRule.Weekdays((int) (plain.toLongArray()[0] >> 1))));
    }

    /** Counted from 0 = Sunday, as the day rules do. */
    private static int weekday(String item, String text) {
        return CronField.QUARTZ_DAY_OF_WEEK.value(item, text) - 1;
    }

    private static int nth(String item, int hash) {
        String nth = item.substring(hash + 1);
        if (nth.length() != 1 || nth.charAt(0) < '1' || nth.charAt(0) > '5') {
            throw CronField.QUARTZ_DAY_OF_WEEK.invalid(item, "is not valid: use #1 to #5");
        }
        return nth.charAt(0) - '0';
    }

    private static DayRule union(List<DayRule> special, List<DayRule> plain) {
        List<DayRule> all = new ArrayList<>(plain);
        all.addAll(special);
        return all.size() == 1 ? all.get(0) : new DayRule.Either(List.copyOf(all));
    }
}
