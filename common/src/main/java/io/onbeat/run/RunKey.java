package io.onbeat.run;

import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.Names;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.UniqueBy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * What makes a run one run: whoever computes it for the same fire gets the same key.
 *
 * <p>A key may come from an outside publisher, so it need not have a schedule's form. It travels as a message id, which holds 255 bytes.
 */
public record RunKey(String value) {
    public static final int LONGEST = 255;

    public RunKey {
        int length = value.getBytes(StandardCharsets.UTF_8).length;
        if (value.isBlank() || length > LONGEST) {
            throw new InvalidSchedule("run key is " + length + " bytes long: use 1 to " + LONGEST + ", not all blank");
        }
        if (value.codePoints().anyMatch(RunKey::isUnfit)) {
            throw new InvalidSchedule("run key \"" + value.replaceAll("\\p{Cntrl}", "?")
                    + "\" holds a control character or half a character: use printable text");
        }
    }

    /** The key of a fire: {@code settle-points@2026-07-14T02:00:00Z}. */
    public static RunKey scheduled(String schedule, Instant fireTime) {
        return of(schedule, fireTime.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /** The key of a run started by hand: {@code settle-points@manual:<id>}. */
    public static RunKey manual(String schedule, String id) {
        return of(schedule, "manual:" + id);
    }

    /** The key under {@code unique_by}: {@code settle-points@2026-07-14} for the day on the zone's clock. */
    public static RunKey period(String schedule, UniqueBy uniqueBy, Instant instant, ZoneId zone) {
        return of(schedule, uniqueBy.period(instant, zone));
    }

    /** The key of a schedule's fire: its period where the schedule has {@code unique_by}, else the nominal fire time. */
    public static RunKey of(Schedule schedule, Instant fireTime) {
        return schedule.policy()
                .uniqueBy()
                .map(unique -> period(schedule.name(), unique, fireTime, schedule.zone()))
                .orElseGet(() -> scheduled(schedule.name(), fireTime));
    }

    private static RunKey of(String schedule, String rest) {
        return new RunKey(Names.check("schedule", schedule) + "@" + rest);
    }

    private static boolean isUnfit(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }

    @Override
    public String toString() {
        return value;
    }
}
