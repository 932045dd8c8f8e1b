package io.onbeat.worker.execute;

import io.onbeat.ledger.Leases;
import io.onbeat.ledger.Leases.Renewal;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All attempts between claim and settle: keeps their leases, and stops those that have lost theirs or run out of time. */
public final class Executions {
    private static final Logger log = LoggerFactory.getLogger(Executions.class);

    private final Duration lease;
    private final Set<Execution> all = ConcurrentHashMap.newKeySet();

    public Executions(Duration lease) {
        this.lease = lease;
    }

    public void add(Execution execution) {
        all.add(execution);
    }

    /** It is settled, or its outcome was discarded. */
    public void remove(Execution execution) {
        all.remove(execution);
    }

    public Collection<Execution> all() {
        return List.copyOf(all);
    }

    public int running() {
        return (int) all.stream().filter(Execution::isRunning).count();
    }

    /** True when nothing runs and nothing waits to be settled. */
    public boolean isIdle() {
        return all.isEmpty();
    }

    /** Renews all leases in one statement. The new end counts from before it was sent: the ledger's can only be later. */
    public void renew(Ledger ledger) throws SQLException {
        Map<Long, Execution> held = new HashMap<>();
        Map<Long, UUID> tokens = new HashMap<>();
        long now = System.nanoTime();
        for (Execution each : all) {
            // a worker that stood still: a lease that is over is not renewed, since its next owner waits for its end
            each.check(now);
            // of two attempts of one run, the later one's claim has ended the earlier one's lease
            if (each.isHeld()) {
                held.merge(each.run().attempt().runId(), each, Executions::later);
            }
        }
        Map<Long, Progress> news = new HashMap<>();
        held.forEach((id, each) -> {
            tokens.put(id, each.run().token());
            each.newProgress().ifPresent(progress -> news.put(id, progress));
        });
        Map<Long, String> progress = new HashMap<>();
        news.forEach((id, each) -> progress.put(id, each.json()));
        long untilNanos = System.nanoTime() + lease.toNanos();
        Leases.renew(ledger, lease, tokens, progress).forEach((id, renewal) -> {
            apply(held.get(id), renewal, untilNanos);
            if (renewal == Renewal.RENEWED && news.containsKey(id)) {
                held.get(id).progressKept(news.get(id));
            }
        });
    }

    private static Execution later(Execution a, Execution b) {
        boolean first = a.run().attempt().number() > b.run().attempt().number();
        (first ? b : a).stop(StopReason.LEASE_LOST);
        return first ? a : b;
    }

    private static void apply(Execution execution, Renewal renewal, long untilNanos) {
        switch (renewal) {
            case RENEWED -> execution.renewed(untilNanos);
            case CANCELLED -> {
                execution.renewed(untilNanos);
                execution.stop(StopReason.CANCELLED);
            }
            case LOST -> execution.stop(StopReason.LEASE_LOST);
            case BUSY ->
                log.debug("{} is locked: its lease stands", execution.run().attempt());
        }
    }

    /** Stops what has run out of time or lease, and acknowledges messages that are here for longer than {@code handover}. */
    public void check(Duration handover) {
        long now = System.nanoTime();
        for (Execution each : all) {
            each.check(now);
            if (each.delivery().age().compareTo(handover) > 0) {
                each.delivery().ack();
            }
        }
    }

    public void stopAll(StopReason reason) {
        all.forEach(each -> each.stop(reason));
    }

    /** Those that were interrupted that long ago and are still running. */
    public List<Execution> ignoringInterrupt(Duration since) {
        return all.stream().filter(each -> each.ignoresInterrupt(since)).toList();
    }
}
