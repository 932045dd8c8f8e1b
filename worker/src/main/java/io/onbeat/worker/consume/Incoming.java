package io.onbeat.worker.consume;

import io.onbeat.message.MessageCodec.Received;
import io.onbeat.run.Attempt;
import java.util.UUID;

/**
 * A message that can be read, waiting to be claimed.
 *
 * @param token the lease token of the run, should it be claimed: made before the first try, the same for all tries
 */
public record Incoming(Delivery delivery, Received received, UUID token) {
    public Incoming(Delivery delivery, Received received) {
        this(delivery, received, UUID.randomUUID());
    }

    /** The start it asks for. A message that was moved here from the dead queue asks for the one after its run's death. */
    public Attempt attempt() {
        Attempt attempt = received.message().attempt();
        return received.dead().isPresent()
                ? new Attempt(attempt.runId(), attempt.runKey(), received.dead().getAsInt() + 1)
                : attempt;
    }
}
