package io.onbeat.beat.fire;

import io.onbeat.ledger.Skips;
import io.onbeat.schedule.FireTimes;
import io.onbeat.schedule.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides what becomes of the fires that are due: those after the watermark and not after now. A start, a fail-over, an
 * outage and an ordinary tick are all the same to it.
 */
final class Judge {
    /** Fires looked at in one judgement: a year of seconds is counted in many small transactions. */
    static final int MOST_FIRES = 20_000;

    private Judge() {}

    static Judgement judge(ActiveSchedule schedule, Instant now, int mostRuns) {
        Instant from = schedule.watermark();
        FireTimes fireTimes = schedule.spec().fireTimes();
        Verdicts verdicts = new Verdicts();
        int fires = 0;
        int runs = 0;
        Instant last = from;
        Optional<Instant> due = fireTimes.next(from).filter(fire -> !fire.isAfter(now));
        while (due.isPresent() && fires < MOST_FIRES && runs < mostRuns) {
            Instant fire = due.get();
            due = fireTimes.next(fire).filter(next -> !next.isAfter(now));
            if (runs(schedule.spec().policy(), fire, due.isEmpty(), now)) {
                verdicts.run(fire);
                runs++;
            } else {
                verdicts.skip(Skips.Reason.MISSED, fire);
            }
            fires++;
            last = fire;
        }
        boolean complete = due.isEmpty();
        Instant to = complete && now.isAfter(from) ? now : last;
        return new Judgement(schedule, from, to, verdicts.toList(), complete);
    }

    // within the grace all run; older ones by the policy, and never beyond its window
    private static boolean runs(Policy policy, Instant fire, boolean newest, Instant now) {
        Duration late = Duration.between(fire, now);
        if (late.compareTo(policy.misfireGrace()) <= 0) {
            return true;
        }
        if (late.compareTo(policy.catchUpWindow()) > 0) {
            return false;
        }
        return switch (policy.catchUp()) {
            case NONE -> false;
            case LATEST -> newest;
            case ALL -> true;
        };
    }
}
