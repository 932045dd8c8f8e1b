package io.onbeat.beat.fire;

import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Skips;
import io.onbeat.schedule.Overlap;
import io.onbeat.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Verdicts in the order of their fires, with skips in a row for one reason drawn together. */
final class Verdicts {
    /** Overlap: queue. So many runs of a schedule wait at the most; what comes on top becomes a skip. */
    static final int MOST_WAITING = 1_000;

    private final List<Verdict> verdicts = new ArrayList<>();

    void run(Instant fireTime) {
        verdicts.add(new Verdict.Run(fireTime, false));
    }

    void skip(Skips.Reason reason, Instant fireTime) {
        skip(new Verdict.Skip(reason, fireTime, fireTime, 1));
    }

    void skip(Verdict.Skip skip) {
        int end = verdicts.size() - 1;
        if (end >= 0 && verdicts.get(end) instanceof Verdict.Skip before && before.reason() == skip.reason()) {
            verdicts.set(
                    end, new Verdict.Skip(skip.reason(), before.first(), skip.last(), before.count() + skip.count()));
        } else {
            verdicts.add(skip);
        }
    }

    List<Verdict> toList() {
        return List.copyOf(verdicts);
    }

    private void waiting(Instant fireTime) {
        verdicts.add(new Verdict.Run(fireTime, true));
    }

    /**
     * What overlap makes of them, in order: the first run of an idle schedule starts, and makes it busy.
     *
     * @param active what of the schedule is active already
     */
    static List<Verdict> afterOverlap(
            List<Verdict> verdicts, Schedule spec, Optional<Runs.Active> active, Periods periods) {
        Overlap overlap = spec.policy().overlap();
        Verdicts judged = new Verdicts();
        boolean busy = overlap != Overlap.ALLOW && active.isPresent();
        int room = MOST_WAITING - active.map(Runs.Active::waiting).orElse(0);
        for (Verdict verdict : verdicts) {
            if (verdict instanceof Verdict.Skip skip) {
                judged.skip(skip);
            } else if (verdict instanceof Verdict.Run run) {
                if (periods.haveRun(spec, run.fireTime())) {
                    judged.verdicts.add(new Verdict.Met(run.fireTime()));
                } else if (!busy) {
                    judged.run(run.fireTime());
                    periods.addRun(spec, run.fireTime());
                    busy = overlap != Overlap.ALLOW;
                } else if (overlap == Overlap.QUEUE && room > 0) {
                    judged.waiting(run.fireTime());
                    periods.addRun(spec, run.fireTime());
                    room--;
                } else {
                    judged.skip(Skips.Reason.OVERLAP, run.fireTime());
                }
            }
        }
        return judged.toList();
    }
}
