package io.onbeat.schedule;

import java.time.Duration;
import java.util.Optional;

/** What becomes of fires that are late, that overlap, or that come twice in a period. */
public record Policy(
        CatchUp catchUp, Duration catchUpWindow, Duration misfireGrace, Overlap overlap, Optional<UniqueBy> uniqueBy) {}
