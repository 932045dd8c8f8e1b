package io.onbeat.beat.fire;

import io.onbeat.broker.Publisher;
import io.onbeat.ledger.Outbox.Entry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** An outbox entry under way: which of its messages were not taken. The broker's answers come on another thread. */
final class Sending {
    private final Entry entry;
    private final Consumer<Sending> whenAnswered;
    private final Set<Long> left = new LinkedHashSet<>();
    private int unanswered = 1;
    private String failure = "";

    /** @param whenAnswered called once, when all was sent and every message has its answer */
    Sending(Entry entry, Consumer<Sending> whenAnswered) {
        this.entry = entry;
        this.whenAnswered = whenAnswered;
    }

    Entry entry() {
        return entry;
    }

    /** The answer that is to come for one run's message. */
    synchronized Publisher.Answer expect(long runId) {
        unanswered++;
        return new Publisher.Answer() {
            @Override
            public void confirmed() {
                answered();
            }

            @Override
            public void failed(String reason) {
                keep(runId, reason);
                answered();
            }
        };
    }

    /** Gives up in the middle: what was not sent stays, and so does what was sent already, its answers unheard. */
    synchronized void abandon(String reason) {
        failure = String.valueOf(reason);
        left.addAll(entry.runIds());
        unanswered = 1;
    }

    void allSent() {
        answered();
    }

    synchronized boolean confirmed() {
        return left.isEmpty();
    }

    synchronized List<Long> left() {
        return List.copyOf(left);
    }

    synchronized String failure() {
        return failure;
    }

    private synchronized void keep(long runId, String reason) {
        failure = reason;
        left.add(runId);
    }

    private void answered() {
        boolean last;
        synchronized (this) {
            last = --unanswered == 0;
        }
        if (last) {
            whenAnswered.accept(this);
        }
    }
}
