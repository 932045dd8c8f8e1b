package io.onbeat.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * The fire times of one cron expression in a zone.
 *
 * <p>The fields are matched on a timeline without a zone, in seconds of local time, and the match is then mapped to an instant.
 * The mapping depends on the hour field. One that starts with {@code *} means every real instant that reads so on the clock.
 * Any other is a promise about the wall clock: each matching reading fires once, at its first occurrence, or at the gap's end
 * where a clock change leaves it out.
 */
record CronTimes(Cron cron, ZoneId zone) implements FireTimes {
    private static final Instant FIRST = Instant.EPOCH.minusSeconds(2 * 86_400);
    private static final int AFTER_LAST_YEAR = CronField.YEAR.max() + 1;

    @Override
    public Optional<Instant> next(Instant after) {
        long start = Horizon.second(after);
        int lastYear = Instant.ofEpochSecond(start).atOffset(ZoneOffset.UTC).getYear() + Horizon.YEARS + 1;
        long fire = next(start, lastYear);
        return fire == Cron.NONE ? Optional.empty() : Horizon.keep(fire, start);
    }

    /** False for what no calendar holds, such as 31 February: judged without regard to today. */
    boolean everFires() {
        return next(FIRST.getEpochSecond(), AFTER_LAST_YEAR) != Cron.NONE;
    }

    private long next(long after, int lastYear) {
        ZoneRules rules = zone.getRules();
        return cron.everyInstant() ? nextInstant(after, lastYear, rules) : nextPromise(after, lastYear, rules);
    }

    /** Walks the stretches of constant offset; within one, local time and real time run in parallel. */
    private long nextInstant(long after, int lastYear, ZoneRules rules) {
        Instant from = Instant.ofEpochSecond(after + 1);
        while (true) {
            long offset = rules.getOffset(from).getTotalSeconds();
            long local = cron.nextOrSame(from.getEpochSecond() + offset, lastYear);
            if (local == Cron.NONE) {
                return Cron.NONE;
            }
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || local - offset < change.toEpochSecond()) {
                return local - offset;
            }
            from = change.getInstant();
        }
    }

    private long nextPromise(long after, int lastYear, ZoneRules rules) {
        long offset = rules.getOffset(Instant.ofEpochSecond(after)).getTotalSeconds();
        long local = cron.nextOrSame(firstUnpromised(after, after + offset, rules), lastYear);
        return local == Cron.NONE ? Cron.NONE : firstOccurrence(local, rules);
    }

    /** In the second pass of an overlap, all that it shows has had its fire: the search goes on after it. */
    private static long firstUnpromised(long after, long local, ZoneRules rules) {
        ZoneOffsetTransition change = rules.getTransition(dateTime(local));
        boolean secondPass = change != null && change.isOverlap() && after >= change.toEpochSecond();
        return secondPass ? change.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) : local + 1;
    }

    private static long firstOccurrence(long local, ZoneRules rules) {
        ZoneOffsetTransition change = rules.getTransition(dateTime(local));
        if (change == null) {
            return local - rules.getOffset(dateTime(local)).getTotalSeconds();
        }
        return change.isGap()
                ? change.toEpochSecond()
                : local - change.getOffsetBefore().getTotalSeconds();
    }

    private static LocalDateTime dateTime(long local) {
        return LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    }
}
