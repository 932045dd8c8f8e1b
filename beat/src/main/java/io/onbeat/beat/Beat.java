package io.onbeat.beat;

import io.micrometer.core.instrument.MeterRegistry;
import io.onbeat.beat.fire.FireThread;
import io.onbeat.beat.recovery.RecoveryLoop;
import io.onbeat.beat.reload.ScheduleWatcher;
import io.onbeat.ledger.Ledger;
import io.onbeat.metrics.Health;
import io.onbeat.metrics.MetricNames;
import java.time.Duration;
import java.util.Optional;

/**
 * A beat: the fire loop with its alarm clock and its relay, the recovery loop, and the watch on the schedule file. Two of
 * them beside each other are one leader and one standby.
 */
public final class Beat implements AutoCloseable {
    private static final Duration EVERY_SECOND = Duration.ofSeconds(1);

    private final Ledger ledger;
    private final FireThread fire;
    private final ScheduleWatcher watcher;
    private final RecoveryLoop recovery;
    private final Repeating watching;
    private final Repeating recovering;

    public Beat(BeatSettings settings, MeterRegistry meters) {
        this.ledger = Ledger.open(settings.servers().ledger());
        this.fire = new FireThread(
                ledger,
                settings.servers().broker(),
                settings.id(),
                settings.leaderLease(),
                settings.leaderRenew(),
                meters);
        this.watcher = new ScheduleWatcher(settings.schedules(), fire::submit, fire::fallBackOnLedger);
        this.recovery = new RecoveryLoop(
                ledger, settings.servers().broker(), settings.workerLease(), settings.retention(), fire::term);
        meters.gauge(MetricNames.LEADING, this, beat -> beat.leading() ? 1 : 0);
        meters.gauge(
                MetricNames.SCHEDULE_FILE_BAD, this, beat -> beat.fileError().isPresent() ? 1 : 0);
        this.watching = new Repeating("watch schedules", EVERY_SECOND, watcher::look);
        this.recovering = new Repeating("recovery", recoverEvery(settings.workerLease()), recovery::pass);
    }

    // a third of a lease between two passes counts as a gap in reaching the ledger, after which no lease is ended
    private static Duration recoverEvery(Duration workerLease) {
        Duration most = workerLease.dividedBy(6);
        return most.compareTo(EVERY_SECOND) < 0 ? most : EVERY_SECOND;
    }

    /** Starts all loops; returns at once. Servers that are not there yet are waited for. */
    public void start() {
        watching.start();
        fire.start();
        recovering.start();
    }

    public boolean leading() {
        return fire.term().isPresent();
    }

    /** A standby is healthy. A schedule file that cannot be taken over is a problem, but no reason to start anew. */
    public Health health() {
        return new Health(fire.troubles());
    }

    /** Reads the schedule file now; what is wrong with it, or empty when it is in force from the next pass on. */
    public Optional<String> reload() {
        return watcher.reload();
    }

    /** What is wrong with the schedule file as it is now. */
    public Optional<String> fileError() {
        return watcher.error();
    }

    public Ledger ledger() {
        return ledger;
    }

    /** Stops in good order: fires no more, publishes what is under way, gives the lead away. */
    @Override
    public void close() {
        watching.close();
        recovering.close();
        fire.close();
        recovery.close();
        ledger.close();
    }
}
