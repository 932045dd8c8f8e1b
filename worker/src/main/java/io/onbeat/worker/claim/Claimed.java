package io.onbeat.worker.claim;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.worker.consume.Delivery;

/**
 * A run that is this worker's now, with the message that asked for it.
 *
 * @param heldUntilNanos {@code System.nanoTime()} up to which the lease stands at least
 */
public record Claimed(ClaimedRun run, Delivery delivery, long heldUntilNanos) {}
