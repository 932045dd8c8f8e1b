package io.onbeat.beat.fire;

import io.onbeat.schedule.Schedule;
import java.time.Instant;

/**
 * A schedule that fires, as this beat knows it.
 *
 * @param id the ledger's
 * @param hash of the spec
 * @param retry the retry policy as JSON, as it is written with every run
 * @param watermark every fire time up to here was judged, as far as this beat knows; the ledger compares it
 */
record ActiveSchedule(int id, Schedule spec, String hash, String retry, Instant watermark) {
    ActiveSchedule(int id, Schedule spec, Instant watermark) {
        this(id, spec, spec.hash(), spec.retry().toJson(), watermark);
    }

    ActiveSchedule at(Instant judgedTo) {
        return new ActiveSchedule(id, spec, hash, retry, judgedTo);
    }
}
