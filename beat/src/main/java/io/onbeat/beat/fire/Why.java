package io.onbeat.beat.fire;

import io.onbeat.ledger.History;
import io.onbeat.ledger.RunView;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.SkipHistory;
import io.onbeat.ledger.Skips;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Answers what became of a fire time. */
public final class Why {
    /** Looking back for the last fire time is done in steps that double, from a minute to a hundred years. */
    private static final Duration LONGEST_LOOK_BACK = Duration.ofDays(36_525);

    private Why() {}

    /** What became of it. */
    public sealed interface Answer {
        record Ran(RunView run) implements Answer {}

        record Skipped(Skips.Range skip) implements Answer {}

        /** It is no fire time of the schedule as it stands now. */
        record NotDue(Optional<Instant> before, Optional<Instant> after) implements Answer {}

        /**
         * It lies ahead.
         *
         * @param skipped by hand
         */
        record NotYet(boolean paused, boolean skipped) implements Answer {}

        /** It has come, and no beat has judged it yet. */
        record NotJudged(Instant watermark) implements Answer {}

        /** It was due before the ledger knew the schedule as it stands now, or longer ago than history is kept. */
        record NoRecord() implements Answer {}
    }

    public static Answer of(Connection connection, Schedules.Row row, Schedule spec, Instant instant, Instant now)
            throws SQLException {
        Optional<RunView> run = History.run(connection, RunKey.of(spec, instant).value());
        if (run.isPresent()) {
            return new Answer.Ran(run.get());
        }
        Optional<Skips.Range> skip = SkipHistory.of(connection, row.id(), instant);
        Optional<Instant> due = spec.fireTimes().next(instant.minusNanos(1)).filter(instant::equals);
        if (due.isEmpty()) {
            return new Answer.NotDue(lastBefore(spec, instant), spec.fireTimes().next(instant));
        }
        if (skip.isPresent()) {
            return new Answer.Skipped(skip.get());
        }
        if (instant.isAfter(now)) {
            return new Answer.NotYet(
                    row.pausedAt().isPresent(),
                    row.skipTo().filter(last -> !last.isBefore(instant)).isPresent());
        }
        return instant.isAfter(row.watermark()) ? new Answer.NotJudged(row.watermark()) : new Answer.NoRecord();
    }

    /** The last fire time before {@code instant}. */
    public static Optional<Instant> lastBefore(Schedule spec, Instant instant) {
        Duration back = Duration.ofMinutes(1);
        while (back.compareTo(LONGEST_LOOK_BACK) < 0) {
            Optional<Instant> found = last(spec, instant.minus(back), instant);
            if (found.isPresent()) {
                return found;
            }
            back = back.multipliedBy(4);
        }
        return Optional.empty();
    }

    private static Optional<Instant> last(Schedule spec, Instant from, Instant before) {
        Optional<Instant> last = Optional.empty();
        Optional<Instant> next = spec.fireTimes().next(from);
        while (next.filter(time -> time.isBefore(before)).isPresent()) {
            last = next;
            next = spec.fireTimes().next(next.get());
        }
        return last;
    }
}
