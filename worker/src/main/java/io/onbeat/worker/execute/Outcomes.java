package io.onbeat.worker.execute;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Failure.Kind;
import io.onbeat.schedule.Durations;
import io.onbeat.task.LeaseLost;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Skipped;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;

/** Judges how an attempt ended. */
final class Outcomes {
    private Outcomes() {}

    /** A task that was interrupted has that reason, however it took the interrupt: it may have left its work half done. */
    static Outcome stopped(
            StopReason reason, ClaimedRun run, String lostLock, Optional<Throwable> thrown, Secrets secrets) {
        return switch (reason) {
            case TIMED_OUT ->
                new Outcome.Failed(
                        failure(
                                Kind.TIMED_OUT,
                                "TimedOut",
                                "ran longer than its timeout of " + Durations.format(run.timeout()),
                                thrown,
                                secrets),
                        Optional.empty());
            case CANCELLED ->
                new Outcome.Cancelled(
                        failure(Kind.CANCELLED, "Cancelled", "cancelled while it was running", thrown, secrets));
            case LOCK_LOST ->
                new Outcome.Failed(
                        failure(
                                Kind.FAILED,
                                "LockLost",
                                "lost the lock " + lostLock + " while it was at work: another may hold it since",
                                thrown,
                                secrets),
                        Optional.empty());
            case LEASE_LOST -> new Outcome.Discarded();
            case RELEASED -> new Outcome.Released();
        };
    }

    static Outcome thrown(Throwable error, Secrets secrets) {
        if (error instanceof Skipped skipped) {
            return new Outcome.Skipped(secrets.mask(String.valueOf(skipped.getMessage())));
        }
        if (error instanceof LeaseLost) {
            return new Outcome.Discarded();
        }
        Failure failure = failure(error, secrets);
        if (error instanceof PermanentFailure) {
            return new Outcome.FailedForGood(failure);
        }
        return new Outcome.Failed(
                failure, error instanceof RetryLater later ? Optional.of(later.delay()) : Optional.empty());
    }

    // a task's own exception may break in any of its methods, and the stack or the memory may be exhausted just now
    static Failure failure(Throwable error, Secrets secrets) {
        try {
            // masked before it is cut: half a secret would not be found
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            String message = Optional.ofNullable(error.getMessage())
                    .orElseGet(() -> error.getClass().getSimpleName());
            return new Failure(
                    Kind.FAILED, error.getClass().getName(), secrets.mask(message), secrets.mask(trace.toString()));
        } catch (RuntimeException | Error broken) {
            return new Failure(Kind.FAILED, error.getClass().getName(), "its message cannot be read", "");
        }
    }

    private static Failure failure(
            Kind kind, String name, String message, Optional<Throwable> thrown, Secrets secrets) {
        return new Failure(
                kind,
                name,
                message,
                thrown.map(error -> failure(error, secrets))
                        .map(Failure::stackTrace)
                        .orElse(""));
    }
}
