package io.onbeat.task.test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.PermanentFailure;
import io.onbeat.worker.execute.AttemptRules;
import java.time.Duration;

/** How an attempt ended. */
public sealed interface TaskOutcome {

    /** @param kept what the ledger would keep as the run's result, as JSON; a null node for nothing */
    record Succeeded(JsonNode kept) implements TaskOutcome {}

    /** The run ends as skipped. */
    record Skipped(String reason) implements TaskOutcome {}

    /** The retry policy decides what follows. */
    record Failed(Throwable failure) implements TaskOutcome {}

    /** Failed, and the task named the delay before the next attempt. */
    record RetryLater(Duration delay, Throwable failure) implements TaskOutcome {}

    /** The run is dead at once. */
    record FailedForGood(PermanentFailure failure) implements TaskOutcome {}

    /**
     * The result of an attempt that succeeded.
     *
     * @throws AssertionError when it did not, with its failure as cause
     */
    default JsonNode result() {
        if (this instanceof Succeeded succeeded) {
            return succeeded.kept();
        }
        if (this instanceof Skipped skipped) {
            throw new AssertionError("the attempt was skipped: " + skipped.reason());
        }
        throw new AssertionError("the attempt failed: " + thrown(), thrown());
    }

    /** The result as a value, read by Jackson; null for nothing. */
    default <T> T result(Class<T> type) {
        try {
            return AttemptRules.read(result(), type);
        } catch (JsonProcessingException unfit) {
            throw new AssertionError("the result is no " + type.getSimpleName() + ": " + result(), unfit);
        }
    }

    /**
     * What made the attempt fail.
     *
     * @throws AssertionError when it succeeded or was skipped
     */
    default Throwable thrown() {
        if (this instanceof Failed failed) {
            return failed.failure();
        }
        if (this instanceof RetryLater later) {
            return later.failure();
        }
        if (this instanceof FailedForGood dead) {
            return dead.failure();
        }
        throw new AssertionError("the attempt did not fail: " + this);
    }
}
