package io.onbeat.beat.fire;

import io.onbeat.ledger.Schedules;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule that fires, as this beat knows it.
 *
 * @param id the ledger's
 * @param hash of the spec
 * @param retry the retry policy as JSON, as it is written with every run
 * @param byHand what was done to it by hand
 * @param watermark every fire time up to here was judged, as far as this beat knows; the ledger compares it
 */
record ActiveSchedule(int id, Schedule spec, String hash, String retry, ByHand byHand, Instant watermark) {

    /**
     * What people have done to a schedule, apart from its file.
     *
     * @param revision the ledger compares it, so that no judgement outlives the next change
     * @param skipTo fire times up to here become skips
     */
    record ByHand(int revision, boolean paused, Optional<Instant> skipTo) {
        static ByHand of(Schedules.Row row) {
            return new ByHand(row.revision(), row.pausedAt().isPresent(), row.skipTo());
        }
    }

    static ActiveSchedule of(Schedules.Row row, Schedule spec) {
        return new ActiveSchedule(row.id(), spec, row.hash(), spec.retry().toJson(), ByHand.of(row), row.watermark());
    }

    ActiveSchedule at(Instant judgedTo) {
        return new ActiveSchedule(id, spec, hash, retry, byHand, judgedTo);
    }

    /** When the run of this fire may start at the earliest: lateness, grace and expiry count from there. */
    Instant notBefore(Instant fireTime) {
        return spec.policy().jitter().most().isZero()
                ? fireTime
                : fireTime.plus(spec.offset(RunKey.of(spec, fireTime).value()));
    }
}
