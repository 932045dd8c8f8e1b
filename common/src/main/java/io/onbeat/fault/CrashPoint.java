package io.onbeat.fault;

import io.onbeat.run.RunState;
import java.util.Optional;

/**
 * Every point between "due" and "acknowledged" at which a process may end, with what is durable there and what follows. A
 * test has a process crash at one ({@code -Donbeat.crash-at=FIRED}, or {@code FIRED#3} for the third passing), or stand
 * still ({@code -Donbeat.freeze-at}); docs/guarantees.md lists them from here.
 *
 * <p>A claim and a plain success are one statement each: between its work and its commit there is no point in the process.
 */
public enum CrashPoint {
    LEADING(
            Role.BEAT,
            "The lead, for the length of its lease.",
            "No beat fires until the lease has run out; then another one takes the lead.",
            "lateness up to the leader's lease"),
    RELOAD_WRITTEN(
            Role.BEAT,
            "Nothing of the new schedule file: its transaction is open.",
            "The ledger's schedules stay as they were; the next leader judges by the old rule and applies the file.",
            "nothing"),
    JUDGED(
            Role.BEAT,
            "Nothing of the fires that were just found due: the watermarks stand before them.",
            "The next leader finds them due again.",
            "nothing"),
    FIRE_WRITTEN(
            Role.BEAT,
            "Nothing: runs, skips, watermarks and outbox entry are in an open transaction.",
            "The database rolls it back; the next leader finds the same fires due.",
            "nothing"),
    FIRED(
            Role.BEAT,
            "Runs, skips, watermarks and outbox entry.",
            "The next leader publishes what the outbox holds.",
            "nothing"),
    PUBLISHED(
            Role.BEAT,
            "The same; the broker may have the messages.",
            "The next leader publishes them again.",
            "a duplicate of each message"),
    CONFIRMED(
            Role.BEAT,
            "The same, and the broker has the messages for good.",
            "The next leader publishes them again.",
            "a duplicate of each message"),
    OUTBOX_CLEARED(
            Role.BEAT,
            "Runs in the ledger and messages in the broker; the outbox is empty.",
            "Workers go on.",
            "nothing"),
    LEASES_ENDED(
            Role.BEAT,
            "Nothing of the recovery: the runs are still running under leases that ran out.",
            "The next leader ends these leases.",
            "nothing more: one lost attempt is counted once"),
    REPUBLISHED(
            Role.BEAT,
            "Nothing: the runs are queued, and their new messages are in an open transaction.",
            "The next leader finds them missing again and publishes them.",
            "nothing"),
    PROMOTED(
            Role.BEAT,
            "Nothing: the runs are still waiting.",
            "The next leader promotes them, one at a time and in order.",
            "nothing"),

    RECEIVED(
            Role.WORKER,
            "The run is queued, the message is unacknowledged.",
            "The broker delivers the message to another worker.",
            "nothing"),
    ADOPTED(
            Role.WORKER,
            "The run of an outside publisher's message, queued; the message is unacknowledged.",
            "The broker delivers the message again; its run is there already and is claimed.",
            "nothing"),
    REPLAYED(
            Role.WORKER,
            "The dead run is queued again; the message that an operator moved is unacknowledged.",
            "The broker delivers the message again; the run is claimed and not replayed twice.",
            "nothing"),
    CLAIMED(
            Role.WORKER,
            "The run is running under this worker's lease; the task has not started.",
            "Recovery ends the lease when it has run out, and the next attempt is queued.",
            "one failure"),
    EXECUTED(
            Role.WORKER,
            "The run is running, and the task's effects outside the ledger are done.",
            "Recovery ends the lease; the next attempt does these effects again.",
            "one failure, or a duplicate message where the task's transaction had committed"),
    TRANSACTION_WORKED(
            Role.WORKER,
            "Nothing of the task's transaction: it is open, and the run's success is not part of it yet.",
            "The database rolls it back; recovery ends the lease; the next attempt does it.",
            "one failure"),
    TRANSACTION_WRITTEN(
            Role.WORKER,
            "Nothing of the task's transaction: it is open.",
            "The database rolls it back; recovery ends the lease; the next attempt does it.",
            "one failure"),
    TRANSACTION_COMMITTED(
            Role.WORKER,
            "The task's effects in the ledger's database and the run's success, together.",
            "The message comes again and is acknowledged as a duplicate; recovery promotes what waited for this run.",
            "a duplicate message"),
    FINISHED(
            Role.WORKER,
            "The run is running; how its attempt ended is known to this process only.",
            "Recovery ends the lease, and the next attempt is queued.",
            "one failure, or a duplicate message where the task's transaction had committed"),
    SETTLE_WRITTEN(
            Role.WORKER,
            "Nothing of the settle (a failure, a death, a release, a promotion): its transaction is open.",
            "Recovery ends the lease; the lost attempt counts, and where it was the last one the run is dead.",
            "one failure, or a duplicate message where the task's transaction had committed"),
    SETTLED(
            Role.WORKER,
            "The run has ended; its message is unacknowledged.",
            "The message comes again and is acknowledged as a duplicate.",
            "a duplicate message"),
    RETRY_SETTLED(
            Role.WORKER,
            "The run is retrying, its failure is on record; no message for the next attempt exists.",
            "Recovery publishes the next attempt when it is past its time; the old message is a duplicate.",
            "a duplicate message; the delay lasts up to 5 s longer"),
    RETRY_PUBLISHED(
            Role.WORKER,
            "The same; the delay queue may have the message.",
            "The delay queue brings it, or recovery publishes it; the old message is a duplicate.",
            "a duplicate message"),
    RETRY_CONFIRMED(
            Role.WORKER,
            "The same, and the delay queue has the message for good.",
            "The delay queue brings it; the old message is a duplicate.",
            "a duplicate message"),
    DEAD_SETTLED(
            Role.WORKER,
            "The run is dead, its dead message is in the outbox; the message of the attempt is unacknowledged.",
            "The beat publishes the one dead message; the old message is a duplicate and starts nothing.",
            "a duplicate message"),
    RELEASED(
            Role.WORKER,
            "The run is queued again, the message of the next attempt is in the outbox; the old one is unacknowledged.",
            "The beat publishes the next attempt; the old message is a duplicate.",
            "a duplicate message, no failure"),
    ACKED(
            Role.WORKER,
            "Everything. The broker may not have heard the acknowledgement.",
            "Nothing is left to do.",
            "nothing");

    /** The process that passes a point. */
    public enum Role {
        BEAT,
        WORKER
    }

    private final Role role;
    private final String durable;
    private final String next;
    private final String cost;

    CrashPoint(Role role, String durable, String next, String cost) {
        this.role = role;
        this.durable = durable;
        this.next = next;
        this.cost = cost;
    }

    /** Does nothing, unless this process was started to crash or to stand still here. */
    public void pass() {
        if (Wish.PRESENT) {
            Wish.passed(this);
        }
    }

    /** The point after a settle's commit and before what follows it. */
    public static CrashPoint settledAs(RunState state) {
        return switch (state) {
            case RETRYING -> RETRY_SETTLED;
            case DEAD -> DEAD_SETTLED;
            case QUEUED -> RELEASED;
            default -> SETTLED;
        };
    }

    /** What is wrong with the wish that this process was started with. */
    public static Optional<String> wrongWish() {
        return Wish.problem();
    }

    public Role role() {
        return role;
    }

    public String durable() {
        return durable;
    }

    public String next() {
        return next;
    }

    public String cost() {
        return cost;
    }
}
