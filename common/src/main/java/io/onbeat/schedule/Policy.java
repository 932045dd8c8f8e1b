package io.onbeat.schedule;

import java.time.Duration;
import java.util.Optional;

/**
 * What becomes of fires that are due: those that are late, that overlap, that come twice in a period, or on a day taken out.
 *
 * @param jitter how far their starts are spread
 * @param expires a run that was not started this long after it was due is not run any more
 */
public record Policy(
        CatchUp catchUp,
        Duration catchUpWindow,
        Duration misfireGrace,
        Overlap overlap,
        Optional<UniqueBy> uniqueBy,
        Exclusions except,
        Jitter jitter,
        Optional<Duration> expires) {}
