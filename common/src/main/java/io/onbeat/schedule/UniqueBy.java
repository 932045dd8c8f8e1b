package io.onbeat.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.IsoFields;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;

/** The period within which a schedule runs once, however often it is triggered. */
public enum UniqueBy {
    HOUR(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH", Locale.ROOT)),
    DAY(DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT)),
    /** The ISO week: it starts on Monday and belongs to the year that has most of it. */
    WEEK(new DateTimeFormatterBuilder()
            .appendValue(IsoFields.WEEK_BASED_YEAR, 4)
            .appendLiteral("-W")
            .appendValue(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 2)
            .toFormatter(Locale.ROOT)),
    MONTH(DateTimeFormatter.ofPattern("uuuu-MM", Locale.ROOT)),
    YEAR(DateTimeFormatter.ofPattern("uuuu", Locale.ROOT));

    private final DateTimeFormatter format;

    UniqueBy(DateTimeFormatter format) {
        this.format = format;
    }

    /** The period that holds the instant on the zone's clock, such as {@code 2026-07-14}, {@code 2026-W29} or {@code 2026-07}. */
    public String period(Instant instant, ZoneId zone) {
        ZonedDateTime local = instant.atZone(zone);
        return this == HOUR && secondPass(local) ? format.format(local) + local.getOffset() : format.format(local);
    }

    /** The hour that an autumn clock change repeats is an hour of its own, or its runs would be taken for done. */
    private static boolean secondPass(ZonedDateTime local) {
        ZoneOffsetTransition change = local.getZone().getRules().getTransition(local.toLocalDateTime());
        return change != null && change.isOverlap() && local.getOffset().equals(change.getOffsetAfter());
    }
}
