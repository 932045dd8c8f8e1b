package io.onbeat.beat.fire;

import java.time.Instant;
import java.util.List;

/**
 * What a schedule owes between two watermarks.
 *
 * @param verdicts on every fire time after {@code from} up to {@code to}, oldest first
 * @param to the watermark that this judgement earns
 * @param complete false where more fires are due than one judgement takes: {@code to} is the last one it covers
 */
record Judgement(ActiveSchedule schedule, Instant from, Instant to, List<Verdict> verdicts, boolean complete) {
    long runs() {
        return verdicts.stream().filter(Verdict.Run.class::isInstance).count();
    }
}
