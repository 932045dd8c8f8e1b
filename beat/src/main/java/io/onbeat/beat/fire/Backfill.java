package io.onbeat.beat.fire;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Schedules;
import io.onbeat.run.Origin;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Overlap;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the fire times of a span that is past. The run keys are the nominal ones, so what was run is not run again, and a
 * backfill that was stopped may be asked for again. What is due and not judged yet is judged first: a backfilled fire that
 * the schedule did not run is in a skip, always.
 */
public final class Backfill {
    private final Ledger ledger;
    private final Schedule spec;
    private final Overlap overlap;

    /** @param overlap allow: all at once; queue: one at a time, in order */
    public Backfill(Ledger ledger, Schedule spec, Overlap overlap) {
        if (overlap == Overlap.SKIP) {
            throw new IllegalArgumentException("a backfill skips nothing: overlap is allow or queue");
        }
        this.ledger = ledger;
        this.spec = spec;
        this.overlap = overlap;
    }

    /** What a backfill does where nothing else is asked for: a schedule whose runs may not overlap gets them in order. */
    public static Overlap overlapOf(Schedule spec) {
        return spec.policy().overlap() == Overlap.ALLOW ? Overlap.ALLOW : Overlap.QUEUE;
    }

    /** Up to {@code most} fire times from {@code from} on and before {@code to}, without those that a calendar takes out. */
    public List<Instant> fireTimes(Instant from, Instant to, int most) {
        List<Instant> times = new ArrayList<>();
        Optional<Instant> next = spec.fireTimes().next(from.minusNanos(1));
        while (times.size() < most && next.filter(time -> time.isBefore(to)).isPresent()) {
            if (!spec.excludes(next.get())) {
                times.add(next.get());
            }
            next = spec.fireTimes().next(next.get());
        }
        return times;
    }

    /**
     * What one step wrote.
     *
     * @param taken how many of the fire times were looked at; fewer than given where no more runs may wait just now
     * @param created how many of these became runs; the others have a run already
     */
    public record Step(int taken, int created) {}

    /** Writes runs for these fire times, oldest first. */
    public Step run(List<Instant> fireTimes) throws SQLException {
        return ledger.transaction(connection -> {
            Schedules.Row row = OwedFires.lock(connection, spec.name())
                    .orElseThrow(() -> new SQLException("schedule " + spec.name() + " was removed meanwhile"));
            List<Instant> room = fireTimes;
            boolean waiting = false;
            if (overlap == Overlap.QUEUE) {
                Optional<Runs.Active> active = Optional.ofNullable(
                        Runs.active(connection, Set.of(row.id())).get(row.id()));
                waiting = active.isPresent();
                int free =
                        Verdicts.MOST_WAITING - active.map(Runs.Active::waiting).orElse(0);
                room = fireTimes.subList(0, Math.max(0, Math.min(free, fireTimes.size())));
            }
            return new Step(room.size(), write(connection, row.id(), room, waiting));
        });
    }

    private int write(Connection connection, int scheduleId, List<Instant> fireTimes, boolean busy)
            throws SQLException {
        Set<String> there = Runs.ids(
                        connection,
                        fireTimes.stream()
                                .map(time -> RunKey.of(spec, time).value())
                                .toList())
                .keySet();
        List<NewRun> runs = new ArrayList<>();
        boolean waiting = busy;
        for (Instant fireTime : fireTimes) {
            RunKey key = RunKey.of(spec, fireTime);
            if (!there.contains(key.value())) {
                runs.add(HandMade.run(spec, scheduleId, key, Origin.BACKFILL, fireTime, spec.args(), overlap, waiting));
                waiting = overlap == Overlap.QUEUE;
            }
        }
        return HandMade.write(connection, runs);
    }
}
