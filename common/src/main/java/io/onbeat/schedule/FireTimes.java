package io.onbeat.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** When a schedule is due: strictly increasing UTC instants of whole seconds. Immutable and safe to share. */
public sealed interface FireTimes permits CronTimes, EveryTimes, AtTime, UnionTimes, WindowTimes {

    /** The first fire time later than {@code after}; empty when none follows within 100 years. */
    Optional<Instant> next(Instant after);

    /**
     * The fire times of one or several cron expressions, without duplicates.
     *
     * @throws InvalidSchedule when an expression is not valid, or when none of them can ever fire
     */
    static FireTimes cron(List<String> expressions, ZoneId zone) {
        if (expressions.isEmpty()) {
            throw new InvalidSchedule("cron is empty: give at least one expression, such as \"0 2 * * *\"");
        }
        List<CronTimes> members = expressions.stream()
                .map(text -> new CronTimes(CronParser.parse(text), zone))
                .toList();
        if (members.stream().noneMatch(CronTimes::everFires)) {
            throw new InvalidSchedule("cron \"" + String.join("\", \"", expressions)
                    + "\" never fires: no date matches it; check day, month, weekday and year against each other");
        }
        return members.size() == 1 ? members.get(0) : new UnionTimes(List.copyOf(members));
    }

    /** Every multiple of {@code period} since 1970-01-01T00:00Z, so that a restart never shifts it. */
    static FireTimes every(Duration period) {
        return new EveryTimes(EveryTimes.wholeSeconds(period), 0);
    }

    /** {@code from}, and every {@code period} of elapsed time after it. */
    static FireTimes every(Duration period, Instant from) {
        FireTimes anchored = new EveryTimes(EveryTimes.wholeSeconds(period), from.getEpochSecond());
        return anchored.within(Optional.of(from), Optional.empty());
    }

    static FireTimes at(Instant instant) {
        return new AtTime(Instant.ofEpochSecond(instant.getEpochSecond()));
    }

    /** The same fire times without those before {@code from} and those after {@code until}. */
    default FireTimes within(Optional<Instant> from, Optional<Instant> until) {
        return from.isEmpty() && until.isEmpty() ? this : new WindowTimes(this, from, until);
    }
}
