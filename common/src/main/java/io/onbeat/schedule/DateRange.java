package io.onbeat.schedule;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Days in a row, the first and the last included; written {@code 2026-10-01..2026-10-07}, or {@code 2027-01-01} for one day. */
public record DateRange(LocalDate first, LocalDate last) {
    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\\.\\.([0-9]{4}-[0-9]{2}-[0-9]{2}))?");

    /** As an editor can check it. */
    static final String PATTERN = "^" + WRITTEN.pattern() + "$";

    /** @throws InvalidSchedule when the text is no date and no range, or the range ends before it starts */
    static DateRange parse(String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw invalid(text);
        }
        DateRange range;
        try {
            LocalDate first = LocalDate.parse(parts.group(1), DateTimeFormatter.ISO_LOCAL_DATE);
            range = new DateRange(
                    first,
                    parts.group(2) == null ? first : LocalDate.parse(parts.group(2), DateTimeFormatter.ISO_LOCAL_DATE));
        } catch (DateTimeException noSuchDate) {
            throw invalid(text);
        }
        if (range.last.isBefore(range.first)) {
            throw new InvalidSchedule(
                    "\"" + text + "\" ends before it starts: write " + range.last + ".." + range.first);
        }
        return range;
    }

    private static InvalidSchedule invalid(String text) {
        return new InvalidSchedule("\"" + Quoted.oneLine(text)
                + "\" is not a date: write a date that exists, such as 2027-01-01, or a range of them, such as"
                + " 2026-10-01..2026-10-07");
    }

    public boolean holds(LocalDate date) {
        return !date.isBefore(first) && !date.isAfter(last);
    }

    /** Whether the later range leaves no day between it and this one. */
    boolean reaches(DateRange later) {
        return !later.first.isAfter(last.plusDays(1));
    }

    DateRange and(DateRange later) {
        return new DateRange(first, last.isBefore(later.last) ? later.last : last);
    }

    @Override
    public String toString() {
        return first.equals(last) ? first.toString() : first + ".." + last;
    }
}
