package io.onbeat.worker.claim;

import io.onbeat.ledger.ClaimResult;
import io.onbeat.ledger.Claims;
import io.onbeat.worker.consume.Delivery;
import io.onbeat.worker.consume.Inbox;
import io.onbeat.worker.consume.Incoming;
import io.onbeat.worker.publish.UnreadableMessages;
import io.onbeat.worker.report.Tally;
import io.onbeat.worker.retry.LedgerRefused;
import io.onbeat.worker.retry.PatientLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims one queue's messages, a batch at a time. What is claimed is the caller's; every other message is answered here:
 * acknowledged as a duplicate or where its run waits in the ledger, held until its time comes, or moved to the dead queue. For one thread.
 */
public final class Claimer {
    private static final Logger log = LoggerFactory.getLogger(Claimer.class);
    /** What comes earlier than this is acknowledged: recovery publishes it when it is due. */
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(1);

    private final PatientLedger ledger;
    private final String worker;
    private final Duration lease;
    private final Inbox inbox;
    private final int mostHeld;
    private final Adoption adoption;
    private final UnreadableMessages unreadable;
    private final Tally tally;
    private volatile List<Incoming> inHand = List.of();

    /** @param mostHeld how many messages may wait here for their time: the others need the room */
    public Claimer(
            PatientLedger ledger,
            String worker,
            Duration lease,
            Inbox inbox,
            int mostHeld,
            UnreadableMessages unreadable,
            Tally tally) {
        this.ledger = ledger;
        this.worker = worker;
        this.lease = lease;
        this.inbox = inbox;
        this.mostHeld = mostHeld;
        this.adoption = new Adoption(ledger, tally);
        this.unreadable = unreadable;
        this.tally = tally;
    }

    /**
     * Claims what may start; waits for the ledger as long as it takes.
     *
     * @throws InterruptedException when this was given up; the messages are given back
     */
    public List<Claimed> claim(List<Incoming> batch) throws InterruptedException {
        if (batch.isEmpty()) {
            return List.of();
        }
        inHand = batch;
        try {
            return claimTogether(batch);
        } catch (LedgerRefused refused) {
            return claimOneByOne(batch, refused);
        } catch (InterruptedException givenUp) {
            batch.forEach(message -> message.delivery().giveBack());
            throw givenUp;
        } finally {
            inHand = List.of();
        }
    }

    /** Gives back what has waited for the ledger for longer than {@code age}. It may be called on any thread. */
    public void giveBackOlderThan(Duration age) {
        for (Incoming message : inHand) {
            if (message.delivery().age().compareTo(age) > 0) {
                message.delivery().giveBack();
            }
        }
    }

    // one message with a value that the ledger cannot store must not hold up the others
    private List<Claimed> claimOneByOne(List<Incoming> batch, LedgerRefused refused) throws InterruptedException {
        if (batch.size() == 1) {
            tally.unreadable();
            unreadable.bury(batch.get(0).delivery(), "the ledger cannot store it: " + refused.getMessage());
            return List.of();
        }
        List<Claimed> claimed = new ArrayList<>();
        for (Incoming message : batch) {
            claimed.addAll(claim(List.of(message)));
        }
        return claimed;
    }

    private List<Claimed> claimTogether(List<Incoming> batch) throws InterruptedException, LedgerRefused {
        List<Claimed> claimed = new ArrayList<>(batch.size());
        List<Wished> unknown =
                grant(adoption.identify(batch.stream().map(Wished::new).toList()), claimed);
        if (!unknown.isEmpty()) {
            grant(adoption.byKey(unknown), claimed).forEach(this::forget);
        }
        return claimed;
    }

    /** @return those whose run the ledger does not have under that id */
    private List<Wished> grant(List<Wished> wished, List<Claimed> claimed) throws InterruptedException, LedgerRefused {
        List<Claims.Wish> wishes = wished.stream().map(Wished::wish).toList();
        long[] sentNanos = new long[1];
        List<ClaimResult> results = ledger.ask("claim", open -> {
            sentNanos[0] = System.nanoTime();
            List<ClaimResult> answer = Claims.claim(open, worker, lease, wishes);
            tally.claimTime().record(Duration.ofNanos(System.nanoTime() - sentNanos[0]));
            return answer;
        });
        List<Wished> unknown = new ArrayList<>();
        List<Delivery> done = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            Wished asked = wished.get(i);
            ClaimResult result = results.get(i);
            if (result instanceof ClaimResult.Claimed granted) {
                tally.claimed(granted.run());
                claimed.add(new Claimed(granted.run(), asked.delivery(), sentNanos[0] + lease.toNanos()));
            } else if (result instanceof ClaimResult.Early early) {
                hold(asked, early.delay());
            } else if (result instanceof ClaimResult.Unknown) {
                unknown.add(asked);
            } else {
                countRefused(result);
                done.add(asked.delivery());
            }
        }
        Delivery.ack(done);
        return unknown;
    }

    private void countRefused(ClaimResult result) {
        if (result instanceof ClaimResult.Expired) {
            tally.expired();
        } else if (result instanceof ClaimResult.Waiting) {
            tally.waiting();
        } else {
            tally.duplicate();
        }
    }

    private void hold(Wished early, Duration delay) {
        if (delay.compareTo(LONGEST_HOLD) > 0 || inbox.held() >= mostHeld) {
            early.delivery().ack();
        } else {
            inbox.hold(early.message(), delay);
        }
    }

    private void forget(Wished unknown) {
        log.warn("the ledger has no run {}: its message is older than the retention, and is dropped", unknown.key());
        tally.forgotten();
        unknown.delivery().ack();
    }
}
