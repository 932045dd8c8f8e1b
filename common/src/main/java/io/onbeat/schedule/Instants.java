package io.onbeat.schedule;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;

/** Instants as schedules write them: ISO 8601 with Z or an offset. */
public final class Instants {
    /** As an editor can check it. */
    static final String PATTERN =
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}.*(?:[Zz]|[+-][0-9]{2}(?::[0-9]{2}){0,2})$";

    private Instants() {}

    /** @throws InvalidSchedule when the text is not an instant of the years 0001 to 9999 */
    public static Instant parse(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME);
            if (time.getYear() < 1 || time.getYear() > 9999) {
                throw new InvalidSchedule(
                        "\"" + Quoted.oneLine(text) + "\" is out of range: use the years 0001 to 9999");
            }
            return time.toInstant();
        } catch (DateTimeException e) {
            throw new InvalidSchedule("\"" + Quoted.oneLine(text)
                    + "\" is not an instant: write a date that exists, the time and Z or an offset, such as "
                    + "2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00");
        }
    }

    /** As {@link #parse}, for fire times: they have whole seconds. */
    public static Instant parseSecond(String text) {
        Instant instant = parse(text);
        if (instant.getNano() != 0) {
            throw new InvalidSchedule(
                    "\"" + Quoted.oneLine(text) + "\" has a fraction of a second: fire times are whole seconds");
        }
        return instant;
    }
}
