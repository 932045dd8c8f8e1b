package io.onbeat.schedule;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 10s}, {@code 1d12h}, {@code 500ms}; the ISO form {@code PT10M} is read too. */
public final class Durations {
    /** What a duration may be at most: 100 years. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    private static final Pattern SHORT = Pattern.compile(
            "(?:([0-9]{1,12})d)?(?:([0-9]{1,12})h)?(?:([0-9]{1,12})m)?(?:([0-9]{1,12})s)?(?:([0-9]{1,15})ms)?");

    /** As an editor can check it. */
    static final String PATTERN = "^(?:[Pp].+|(?=.)" + SHORT.pattern() + ")$";

    private Durations() {}

    /**
     * Reads a duration of zero or more.
     *
     * @throws InvalidSchedule for anything else, with a message that quotes it
     */
    public static Duration parse(String text) {
        Duration duration = text.toUpperCase(Locale.ROOT).startsWith("P") ? iso(text) : shortForm(text);
        if (duration.isNegative()) {
            throw invalid(text, "is negative");
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw invalid(text, "is longer than 100 years");
        }
        return duration;
    }

    /** The short form, such as {@code 1m30s}: the largest units first, none that is zero. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        StringBuilder text = new StringBuilder();
        append(text, duration.toDaysPart(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? duration.toString() : text.toString();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }

    private static Duration iso(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw invalid(text, "is not a duration");
        }
    }

    private static Duration shortForm(String text) {
        Matcher parts = SHORT.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            throw invalid(text, text.startsWith("-") ? "is negative" : "is not a duration");
        }
        return Duration.ofDays(count(parts, 1))
                .plusHours(count(parts, 2))
                .plusMinutes(count(parts, 3))
                .plusSeconds(count(parts, 4))
                .plusMillis(count(parts, 5));
    }

    private static long count(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static InvalidSchedule invalid(String text, String why) {
        return new InvalidSchedule("\"" + Quoted.oneLine(text) + "\" " + why
                + ": write numbers with d, h, m, s or ms, largest first, such as 10s, 5m or 1d12h");
    }
}
