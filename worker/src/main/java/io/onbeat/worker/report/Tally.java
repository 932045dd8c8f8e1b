package io.onbeat.worker.report;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.metrics.MetricNames;
import io.onbeat.run.RunState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What a worker has done since it started: one set of counters for the metrics page, the ledger and tests. */
public final class Tally {
    private final Counter claimed;
    private final Counter duplicates;
    private final Counter lost;
    private final Counter expired;
    private final Counter waiting;
    private final Counter forgotten;
    private final Counter unreadable;
    private final Counter putOff;
    private final Counter adopted;
    private final Counter replayed;
    private final Map<RunState, Counter> finished = new EnumMap<>(RunState.class);
    private final Timer claimTime;
    private final Timer settleTime;
    private final Map<String, Instant> claimedUpTo = new ConcurrentHashMap<>();

    public Tally(MeterRegistry registry) {
        claimed = registry.counter(MetricNames.RUNS_CLAIMED);
        duplicates = registry.counter(MetricNames.DUPLICATES);
        lost = registry.counter(MetricNames.LOST);
        expired = registry.counter(MetricNames.EXPIRED);
        waiting = registry.counter(MetricNames.WAITING);
        forgotten = registry.counter(MetricNames.FORGOTTEN);
        unreadable = registry.counter(MetricNames.UNREADABLE);
        putOff = registry.counter(MetricNames.PUT_OFF);
        adopted = registry.counter(MetricNames.ADOPTED);
        replayed = registry.counter(MetricNames.REPLAYED);
        for (RunState state : RunState.values()) {
            finished.put(state, registry.counter(MetricNames.RUNS_FINISHED, MetricNames.STATE, state.word()));
        }
        claimTime = registry.timer(MetricNames.CLAIM);
        settleTime = registry.timer(MetricNames.SETTLE);
    }

    /** A snapshot of the counters. */
    public record Counts(
            long claimed,
            long succeeded,
            long skipped,
            long failed,
            long cancelled,
            long released,
            long duplicates,
            long lost,
            long expired,
            long waiting,
            long forgotten,
            long unreadable,
            long putOff,
            long adopted,
            long replayed) {}

    public Counts counts() {
        return new Counts(
                count(claimed),
                finished(RunState.SUCCEEDED),
                finished(RunState.SKIPPED),
                finished(RunState.RETRYING) + finished(RunState.DEAD),
                finished(RunState.CANCELLED),
                finished(RunState.QUEUED),
                count(duplicates),
                count(lost),
                count(expired),
                count(waiting),
                count(forgotten),
                count(unreadable),
                count(putOff),
                count(adopted),
                count(replayed));
    }

    public void claimed(ClaimedRun run) {
        claimed.increment();
        claimedUpTo.merge(run.queue(), run.queuedAt(), (a, b) -> a.isAfter(b) ? a : b);
    }

    /** An attempt was settled, and its run is in this state now. */
    public void finished(RunState state, int runs) {
        finished.get(state).increment(runs);
    }

    public void duplicate() {
        duplicates.increment();
    }

    public void lost() {
        lost.increment();
    }

    public void expired() {
        expired.increment();
    }

    public void waiting() {
        waiting.increment();
    }

    public void forgotten() {
        forgotten.increment();
    }

    public void unreadable() {
        unreadable.increment();
    }

    public void putOff() {
        putOff.increment();
    }

    public void adopted(int runs) {
        adopted.increment(runs);
    }

    public void replayed(int runs) {
        replayed.increment(runs);
    }

    public Timer claimTime() {
        return claimTime;
    }

    public Timer settleTime() {
        return settleTime;
    }

    /** The newest time at which a run was queued that is claimed by now, by queue. */
    Map<String, Instant> claimedUpTo() {
        return new TreeMap<>(claimedUpTo);
    }

    private long finished(RunState state) {
        return count(finished.get(state));
    }

    private static long count(Counter counter) {
        return (long) counter.count();
    }
}
