package io.onbeat.ledger;

import io.onbeat.run.Attempt;
import io.onbeat.run.RunState;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * How an attempt ends, as its worker wants it.
 *
 * @param state succeeded, skipped, retrying, dead, cancelled, or queued for a release
 * @param result JSON text
 * @param reason why it was skipped
 * @param failure present where the attempt counts as a failure, or was cancelled
 * @param delay until the next attempt, where the state is retrying
 * @param recoverAfter when recovery publishes the next attempt's message unless that attempt has started by then: the delay
 *     where no delay queue carries it, somewhat later where one does
 * @param followed the schedule whose next waiting run follows when this one has ended
 * @param limited the task whose permit is another's when this one has ended
 */
public record Settlement(
        Attempt attempt,
        UUID token,
        RunState state,
        Optional<String> result,
        Optional<String> reason,
        Optional<Failure> failure,
        Duration delay,
        Duration recoverAfter,
        Optional<Integer> followed,
        Optional<String> limited) {

    public static Settlement succeeded(ClaimedRun run, Optional<String> result) {
        return new Settlement(
                run.attempt(),
                run.token(),
                RunState.SUCCEEDED,
                result,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Duration.ZERO,
                followed(run),
                limited(run));
    }

    public static Settlement skipped(ClaimedRun run, String reason) {
        return new Settlement(
                run.attempt(),
                run.token(),
                RunState.SKIPPED,
                Optional.empty(),
                Optional.of(reason),
                Optional.empty(),
                Duration.ZERO,
                Duration.ZERO,
                followed(run),
                limited(run));
    }

    public static Settlement retrying(ClaimedRun run, Failure failure, Duration delay, Duration recoverAfter) {
        return failed(run, RunState.RETRYING, failure, delay, recoverAfter);
    }

    public static Settlement dead(ClaimedRun run, Failure failure) {
        return failed(run, RunState.DEAD, failure, Duration.ZERO, Duration.ZERO);
    }

    public static Settlement cancelled(ClaimedRun run, Failure failure) {
        return failed(run, RunState.CANCELLED, failure, Duration.ZERO, Duration.ZERO);
    }

    /** Given back unfinished: the next attempt may start at once, and no failure is counted. */
    public static Settlement released(ClaimedRun run) {
        return new Settlement(
                run.attempt(),
                run.token(),
                RunState.QUEUED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Duration.ZERO,
                followed(run),
                limited(run));
    }

    private static Optional<Integer> followed(ClaimedRun run) {
        return run.scheduleId().filter(schedule -> run.serial());
    }

    private static Optional<String> limited(ClaimedRun run) {
        return run.limited() ? Optional.of(run.task()) : Optional.empty();
    }

    private static Settlement failed(
            ClaimedRun run, RunState state, Failure failure, Duration delay, Duration recoverAfter) {
        return new Settlement(
                run.attempt(),
                run.token(),
                state,
                Optional.empty(),
                Optional.empty(),
                Optional.of(failure),
                delay,
                recoverAfter,
                followed(run),
                limited(run));
    }

    boolean countsAsFailure() {
        return failure.isPresent() && state != RunState.CANCELLED;
    }
}
