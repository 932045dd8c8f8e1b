package io.onbeat.ledger;

import io.onbeat.run.Attempt;
import java.time.Duration;

/** What became of one message's wish to start an attempt. */
public sealed interface ClaimResult {
    /** Start it. */
    record Claimed(ClaimedRun run) implements ClaimResult {}

    /** It came before its time: ask again after {@code delay}. */
    record Early(Attempt attempt, Duration delay) implements ClaimResult {}

    /** All permits of its task are taken: it waits in the ledger, and gets a message anew when its turn has come. */
    record Waiting(Attempt attempt) implements ClaimResult {}

    /** Another message has done, or is doing, what this one asks for. */
    record Duplicate(Attempt attempt) implements ClaimResult {}

    /** It stands in the ledger at a state in which nothing may start: expired while it waited. */
    record Expired(Attempt attempt) implements ClaimResult {}

    /** The ledger has no such run. */
    record Unknown(Attempt attempt) implements ClaimResult {}
}
