package io.onbeat.worker.settle;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Settlement;
import io.onbeat.worker.execute.Execution;
import io.onbeat.worker.execute.Outcome;
import io.onbeat.worker.retry.RetryDecision;
import java.time.Duration;
import java.util.Optional;

/**
 * An attempt on its way into the ledger. What is decided here stays, however often the ledger must be asked.
 *
 * @param settlement empty where the outcome is discarded
 * @param queueDelay the delay queue that carries the next attempt's message, where one does
 */
record Settling(Execution execution, Optional<Settlement> settlement, Optional<Duration> queueDelay) {

    static Settling of(Execution execution, Outcome outcome) {
        ClaimedRun run = execution.run();
        if (outcome instanceof Outcome.Succeeded succeeded) {
            return with(execution, Settlement.succeeded(run, succeeded.result()));
        }
        if (outcome instanceof Outcome.Skipped skipped) {
            return with(execution, Settlement.skipped(run, skipped.reason()));
        }
        if (outcome instanceof Outcome.Failed failed) {
            RetryDecision.Retry retry = RetryDecision.after(run, failed.failure(), failed.delay());
            return new Settling(execution, Optional.of(retry.settlement()), retry.queueDelay());
        }
        if (outcome instanceof Outcome.FailedForGood failed) {
            return with(execution, Settlement.dead(run, failed.failure()));
        }
        if (outcome instanceof Outcome.Cancelled cancelled) {
            return with(execution, Settlement.cancelled(run, cancelled.failure()));
        }
        if (outcome instanceof Outcome.Released) {
            return with(execution, Settlement.released(run));
        }
        return new Settling(execution, Optional.empty(), Optional.empty());
    }

    /** In place of one that the ledger cannot store. */
    Settling refused(String reason) {
        Failure failure =
                new Failure(Failure.Kind.FAILED, "Unstorable", "the ledger refuses its outcome: " + reason, "");
        return with(execution, Settlement.dead(execution.run(), failure));
    }

    private static Settling with(Execution execution, Settlement settlement) {
        return new Settling(execution, Optional.of(settlement), Optional.empty());
    }

    long runId() {
        return execution.run().attempt().runId();
    }
}
