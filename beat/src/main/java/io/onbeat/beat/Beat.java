package io.onbeat.beat;

import io.onbeat.beat.fire.FireThread;
import io.onbeat.beat.recovery.RecoveryLoop;
import io.onbeat.beat.reload.ScheduleWatcher;
import io.onbeat.ledger.Ledger;
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

    public Beat(BeatSettings settings) {
        this.ledger = Ledger.open(settings.servers().ledger());
        this.fire = new FireThread(
                ledger, settings.servers().broker(), settings.id(), settings.leaderLease(), settings.leaderRenew());
        this.watcher = new ScheduleWatcher(settings.schedules(), fire::submit);
        this.recovery = new RecoveryLoop(
                ledger, settings.servers().broker(), settings.workerLease(), settings.retention(), fire::term);
        this.watching = new Repeating("watch schedules", EVERY_SECOND, watcher::look);
        this.recovering = new Repeating("recovery", EVERY_SECOND, recovery::pass);
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

    /** What keeps this beat from doing its work; empty when it is well. */
    public Optional<String> trouble() {
        return fire.trouble().or(watcher::error);
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
