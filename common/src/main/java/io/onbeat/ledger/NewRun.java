package io.onbeat.ledger;

import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A run that is about to be written.
 *
 * @param scheduleId the ledger's id of the schedule, empty for an outside run
 * @param args a JSON object as text
 * @param retry the retry policy as JSON text
 * @param serial one at a time: when it ends, the next waiting run of its schedule follows
 * @param waiting it waits for the runs before it, and needs no message yet
 * @param notBefore when it may start at the earliest; empty = at once
 */
public record NewRun(
        String key,
        Optional<Integer> scheduleId,
        Optional<String> schedule,
        String task,
        String queue,
        Origin origin,
        Instant fireAt,
        String args,
        Duration timeout,
        String retry,
        int maxAttempts,
        boolean serial,
        boolean waiting,
        Optional<Instant> notBefore,
        Optional<Instant> expiresAt) {

    /** The message that asks for the first attempt. */
    public TaskMessage firstMessage(long runId) {
        return new TaskMessage(
                new Attempt(runId, key, 1), origin, schedule, task, queue, fireAt, args, Optional.empty());
    }
}
