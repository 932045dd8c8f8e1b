package io.onbeat.schedule;

import java.util.BitSet;
import java.util.List;

/** A field of a cron expression: what it may hold, and how its text is read. */
enum CronField {
    SECOND("second", 0, 59, 59, List.of()),
    MINUTE("minute", 0, 59, 59, List.of()),
    HOUR("hour", 0, 23, 23, List.of()),
    DAY_OF_MONTH("day of month", 1, 31, 31, List.of()),
    MONTH(
            "month",
            1,
            12,
            12,
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
    UNIX_DAY_OF_WEEK("day of week", 0, 6, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")),
    QUARTZ_DAY_OF_WEEK("day of week", 1, 7, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")),
    YEAR("year", 1970, 2199, 2199, List.of());

    private final String label;
    private final int min;
    private final int cycleEnd;
    private final int max;
    private final List<String> names;

    /** {@code cycleEnd} is where {@code *} ends: the Unix weekday 7 is a second name of 0. */
    CronField(String label, int min, int cycleEnd, int max, List<String> names) {
        this.label = label;
        this.min = min;
        this.cycleEnd = cycleEnd;
        this.max = max;
        this.names = names;
    }

    int max() {
        return max;
    }

    /** Adds what one item of the field's list stands for. */
    void add(String item, boolean quartz, BitSet values) {
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int step = slash < 0 ? 1 : step(item, item.substring(slash + 1));
        int dash = range.indexOf('-');
        if (range.equals("*")) {
            fill(min, cycleEnd, step, values);
        } else if (dash >= 0) {
            fillRange(
                    item,
                    value(item, range.substring(0, dash)),
                    value(item, range.substring(dash + 1)),
                    step,
                    quartz,
                    values);
        } else {
            int first = value(item, range);
            if (slash >= 0 && !quartz) {
                throw invalid(
                        item,
                        "needs a range before the step in a 5-field cron: write " + range + "-" + max
                                + item.substring(slash));
            }
            fill(first, slash >= 0 ? max : first, step, values);
        }
    }

    private void fillRange(String item, int first, int last, int step, boolean quartz, BitSet values) {
        if (first <= last) {
            fill(first, last, step, values);
        } else if (!quartz || this == YEAR) {
            throw invalid(item, "is a reversed range: the first value must not be above the last; split it in two");
        } else {
            fill(first, last + max - min + 1, step, values);
        }
    }

    private void fill(int first, int last, int step, BitSet values) {
        int size = cycleEnd - min + 1;
        for (int value = first; value <= last; value += step) {
            values.set((value - min) % size + min);
        }
    }

    private int step(String item, String text) {
        if (!isNumber(text)) {
            throw invalid(item, "has no valid step: write one number after one '/', 1 to " + max);
        }
        int step = number(text);
        if (step < 1 || step > max) {
            throw invalid(item, "has a step out of range: use 1 to " + max);
        }
        return step;
    }

    int value(String item, String text) {
        int name = names.indexOf(text);
        int value = name >= 0 ? name + min : isNumber(text) ? number(text) : Integer.MIN_VALUE;
        if (value == Integer.MIN_VALUE) {
            throw invalid(item, "is not valid: use " + allowed());
        }
        if (value < min || value > max) {
            throw invalid(item, "is out of range: use " + allowed());
        }
        return value;
    }

    InvalidSchedule invalid(String item, String why) {
        return new InvalidSchedule(label + " \"" + item + "\" " + why);
    }

    private String allowed() {
        String numbers = min + "-" + max;
        return names.isEmpty() ? numbers : numbers + " or " + names.get(0) + "-" + names.get(names.size() - 1);
    }

    static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Leading zeros are decimal; what no field could hold anyway is cut short. */
    private static int number(String digits) {
        String bare = digits.replaceFirst("^0+(?=.)", "");
        return bare.length() > 6 ? 999_999 : Integer.parseInt(bare);
    }
}
