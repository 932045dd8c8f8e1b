package io.onbeat.ledger;

import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A run that this worker holds the lease of.
 *
 * @param serial when it ends, the next waiting run of its schedule follows
 * @param failures how often it has failed before this attempt
 * @param limited its task has a max_concurrency: when it ends, its permit is another's
 * @param token the lease token; whatever ends this attempt names it
 */
public record ClaimedRun(
        Attempt attempt,
        UUID token,
        Origin origin,
        Optional<Integer> scheduleId,
        Optional<String> schedule,
        String task,
        String queue,
        Instant fireAt,
        String args,
        Duration timeout,
        String retry,
        int maxAttempts,
        boolean serial,
        int failures,
        Instant queuedAt,
        Instant startedAt,
        boolean limited) {

    public TaskMessage message() {
        return new TaskMessage(attempt, origin, schedule, task, queue, fireAt, args, Optional.empty());
    }
}
