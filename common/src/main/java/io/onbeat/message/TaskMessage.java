package io.onbeat.message;

import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.time.Instant;
import java.util.Optional;

/**
 * What a task queue carries: which run to start, and for which attempt. The ledger is the truth about the run; the other
 * fields are there for the reader of the queue.
 *
 * @param args a JSON object as text
 * @param traceparent W3C trace context, empty when there is none
 */
public record TaskMessage(
        Attempt attempt,
        Origin origin,
        Optional<String> schedule,
        String task,
        String queue,
        Instant fireAt,
        String args,
        Optional<String> traceparent) {

    public TaskMessage next() {
        Attempt next = new Attempt(attempt.runId(), attempt.runKey(), attempt.number() + 1);
        return new TaskMessage(next, origin, schedule, task, queue, fireAt, args, traceparent);
    }
}
