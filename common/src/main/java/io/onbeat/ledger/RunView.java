package io.onbeat.ledger;

import io.onbeat.run.Origin;
import io.onbeat.run.RunState;
import java.time.Instant;
import java.util.Optional;

/**
 * A run as people look at it.
 *
 * @param forPermit it is waiting for a permit of its task, not for the runs before it
 * @param startedAt the start of its newest attempt
 * @param firstStartedAt the start of its first attempt that is on record: what its lateness counts to
 */
public record RunView(
        long id,
        String key,
        Optional<String> schedule,
        String task,
        String queue,
        Origin origin,
        Instant fireAt,
        RunState state,
        boolean forPermit,
        int attempt,
        int failures,
        int maxAttempts,
        Instant queuedAt,
        Optional<Instant> startedAt,
        Optional<Instant> firstStartedAt,
        Optional<Instant> finishedAt,
        Optional<Instant> nextAttemptAt,
        boolean cancelRequested,
        Optional<String> worker,
        Optional<String> errorClass,
        Optional<String> errorMessage,
        String args,
        Optional<String> result) {}
