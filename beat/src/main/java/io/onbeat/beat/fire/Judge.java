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
            Optional<Skips.Reason> skipped = skipped(schedule, fire, now);
            if (skipped.isPresent()) {
                verdicts.skip(skipped.get(), fire);
            } else {
                verdicts.run(fire);
                runs++;
            }
            fires++;
            last = fire;
        }
        boolean complete = due.isEmpty();
        Instant to = complete && now.isAfter(from) ? now : last;
        return new Judgement(schedule, from, to, verdicts.toList(), complete);
    }

    private static Optional<Skips.Reason> skipped(ActiveSchedule schedule, Instant fire, Instant now) {
        if (schedule.spec().excludes(fire)) {
            return Optional.of(Skips.Reason.EXCLUDED);
        }
        if (schedule.byHand().paused()
                || schedule.byHand()
                        .skipTo()
                        .filter(last -> !fire.isAfter(last))
                        .isPresent()) {
            return Optional.of(Skips.Reason.PAUSED);
        }
        return runs(schedule, fire, now) ? Optional.empty() : Optional.of(Skips.Reason.MISSED);
    }

    // within the grace all run; older ones by the policy, and never beyond its window
    private static boolean runs(ActiveSchedule schedule, Instant fire, Instant now) {
        Policy policy = schedule.spec().policy();
        Duration late = Duration.between(schedule.notBefore(fire), now);
        if (late.compareTo(policy.misfireGrace()) <= 0) {
            return true;
        }
        if (late.compareTo(policy.catchUpWindow()) > 0) {
            return false;
        }
        return switch (policy.catchUp()) {
            case NONE -> false;
            // the newest of those that no calendar takes out
            case LATEST ->
                schedule.spec()
                        .nextNotExcluded(fire)
                        .filter(next -> !next.isAfter(now))
                        .isEmpty();
            case ALL -> true;
        };
    }
}
