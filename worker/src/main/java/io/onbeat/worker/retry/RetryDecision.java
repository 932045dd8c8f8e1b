package io.onbeat.worker.retry;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Settlement;
import io.onbeat.schedule.Backoff;
import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows a failure: another attempt after a delay, or the end. */
public final class RetryDecision {
    /** How long after its time a retry is published by recovery, where a delay queue should have brought it. */
    private static final Duration GRACE = Duration.ofSeconds(5);
    // the ledger holds longer ones: a queue for each of them would stay in the broker for ever
    private static final Duration LONGEST_IN_QUEUE = Duration.ofDays(1);

    private static final Logger log = LoggerFactory.getLogger(RetryDecision.class);

    private RetryDecision() {}

    /** @param queueDelay the delay queue that carries the retry; zero = the task queue itself; empty = none, the ledger does */
    public record Retry(Settlement settlement, Optional<Duration> queueDelay) {}

    /** @param wish the task's own delay, in place of the policy's */
    public static Retry after(ClaimedRun run, Failure failure, Optional<Duration> wish) {
        int failures = run.failures() + 1;
        if (failures >= run.maxAttempts()) {
            return new Retry(Settlement.dead(run, failure), Optional.empty());
        }
        RetryPolicy policy = policy(run);
        Duration delay = wish.orElseGet(
                () -> policy.delay(failures, ThreadLocalRandom.current().nextDouble()));
        boolean carried = isRung(policy, delay) && delay.compareTo(LONGEST_IN_QUEUE) <= 0;
        return carried
                ? new Retry(Settlement.retrying(run, failure, delay, delay.plus(GRACE)), Optional.of(delay))
                : new Retry(Settlement.retrying(run, failure, delay, delay), Optional.empty());
    }

    private static boolean isRung(RetryPolicy policy, Duration delay) {
        return policy.backoff() instanceof Backoff.Ladder ladder
                && ladder.delays().contains(delay);
    }

    private static RetryPolicy policy(ClaimedRun run) {
        if (run.retry() == null) {
            return RetryPolicy.DEFAULT;
        }
        try {
            return RetryPolicy.fromJson(run.retry());
        } catch (InvalidSchedule unreadable) {
            log.warn("the retry policy of {} cannot be read: {}", run.attempt().runKey(), unreadable.getMessage());
            return RetryPolicy.DEFAULT;
        }
    }
}
