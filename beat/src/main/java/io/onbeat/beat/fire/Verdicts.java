package io.onbeat.beat.fire;

import io.onbeat.ledger.Skips;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Verdicts in the order of their fires, with skips in a row for one reason drawn together. */
final class Verdicts {
    private final List<Verdict> verdicts = new ArrayList<>();

    void run(Instant fireTime) {
        verdicts.add(new Verdict.Run(fireTime));
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

    /** Overlap: skip. A run that starts nothing new while another is active becomes a skip; the first one makes it active. */
    static List<Verdict> withoutOverlap(List<Verdict> verdicts, boolean active) {
        Verdicts judged = new Verdicts();
        boolean busy = active;
        for (Verdict verdict : verdicts) {
            if (verdict instanceof Verdict.Skip skip) {
                judged.skip(skip);
            } else if (verdict instanceof Verdict.Run run && busy) {
                judged.skip(Skips.Reason.OVERLAP, run.fireTime());
            } else if (verdict instanceof Verdict.Run run) {
                judged.run(run.fireTime());
                busy = true;
            }
        }
        return judged.toList();
    }
}
