package io.onbeat.beat.cli;

import io.onbeat.schedule.Schedule;
import java.time.Instant;

/** When a schedule fires next, as a word for people: fires that a calendar takes out are passed over. */
final class NextFire {
    private NextFire() {}

    static String of(Schedule schedule, Instant now) {
        if (!schedule.enabled()) {
            return "disabled";
        }
        return schedule.nextNotExcluded(now).map(Object::toString).orElse("finished");
    }
}
