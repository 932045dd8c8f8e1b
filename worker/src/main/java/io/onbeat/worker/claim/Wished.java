package io.onbeat.worker.claim;

import io.onbeat.ledger.Claims.Wish;
import io.onbeat.run.Attempt;
import io.onbeat.worker.consume.Delivery;
import io.onbeat.worker.consume.Incoming;

/** A message with the attempt it asks for, under the id that the ledger knows the run by. */
record Wished(Incoming message, Attempt attempt) {

    Wished(Incoming message) {
        this(message, message.attempt());
    }

    Wished withId(long runId) {
        return new Wished(message, new Attempt(runId, attempt.runKey(), attempt.number()));
    }

    /** An outside publisher knows nothing of attempts: it asks for the run to be started. */
    Wished asFirst() {
        return new Wished(message, new Attempt(attempt.runId(), attempt.runKey(), 1));
    }

    Wish wish() {
        return new Wish(attempt, message.token());
    }

    Delivery delivery() {
        return message.delivery();
    }

    String key() {
        return attempt.runKey();
    }

    boolean isReplay() {
        return message.received().ours() && message.received().dead().isPresent();
    }

    boolean isOutside() {
        return !message.received().ours();
    }
}
