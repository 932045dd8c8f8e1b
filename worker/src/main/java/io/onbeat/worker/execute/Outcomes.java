package io.onbeat.worker.execute;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Failure.Kind;
import io.onbeat.schedule.Durations;
import io.onbeat.task.LeaseLost;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Skipped;
import java.util.Optional;

/** Judges how an attempt ended. */
final class Outcomes {
    private Outcomes() {}

    /** A task that was interrupted has that reason, however it took the interrupt: it may have left its work half done. */
    static Outcome stopped(StopReason reason, ClaimedRun run, Optional<Throwable> thrown) {
        return switch (reason) {
            case TIMED_OUT ->
                new Outcome.Failed(
                        failure(
                                Kind.TIMED_OUT,
                                "TimedOut",
                                "ran longer than its timeout of " + Durations.format(run.timeout()),
                                thrown),
                        Optional.empty());
            case CANCELLED ->
                new Outcome.Cancelled(failure(Kind.CANCELLED, "Cancelled", "cancelled while it was running", thrown));
            case LEASE_LOST -> new Outcome.Discarded();
            case RELEASED -> new Outcome.Released();
        };
    }

    static Outcome thrown(Throwable error) {
        if (error instanceof Skipped skipped) {
            return new Outcome.Skipped(String.valueOf(skipped.getMessage()));
        }
        if (error instanceof LeaseLost) {
            return new Outcome.Discarded();
        }
        Failure failure = failure(error);
        if (error instanceof PermanentFailure) {
            return new Outcome.FailedForGood(failure);
        }
        return new Outcome.Failed(
                failure, error instanceof RetryLater later ? Optional.of(later.delay()) : Optional.empty());
    }

    // a task's own exception may break in any of its methods, and the stack or the memory may be exhausted just now
    private static Failure failure(Throwable error) {
        try {
            return Failure.of(Kind.FAILED, error);
        } catch (RuntimeException | Error broken) {
            return new Failure(Kind.FAILED, error.getClass().getName(), "its message cannot be read", "");
        }
    }

    private static Failure failure(Kind kind, String name, String message, Optional<Throwable> thrown) {
        return new Failure(
                kind,
                name,
                message,
                thrown.map(Outcomes::failure).map(Failure::stackTrace).orElse(""));
    }
}
