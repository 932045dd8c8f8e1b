package io.onbeat.worker.execute;

import io.onbeat.ledger.Failure;
import java.time.Duration;
import java.util.Optional;

/** How an attempt ended on this worker; the ledger has not heard of it yet. */
public sealed interface Outcome {
    /** @param result JSON text */
    record Succeeded(Optional<String> result) implements Outcome {}

    record Skipped(String reason) implements Outcome {}

    /** @param delay the task's own wish for the delay before the next attempt */
    record Failed(Failure failure, Optional<Duration> delay) implements Outcome {}

    /** No further attempt would help. */
    record FailedForGood(Failure failure) implements Outcome {}

    record Cancelled(Failure failure) implements Outcome {}

    record Released() implements Outcome {}

    /** The lease was lost. */
    record Discarded() implements Outcome {}
}
