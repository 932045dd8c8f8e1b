package io.onbeat.beat.fire;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onbeat.beat.Joining;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.config.ServerTrouble;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.Ledger;
import io.onbeat.metrics.MetricNames;
import io.onbeat.schedule.ScheduleSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the fire loop: a pass whenever Quartz wakes it, new schedules come, or the lease wants to be renewed. */
public final class FireThread implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FireThread.class);
    private static final Duration SHORTEST_BACK_OFF = Duration.ofMillis(100);
    private static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(2);
    /** An alarm counts on the wall clock; where that was stepped back, it is not waited for. */
    private static final Duration ALARM_OVERDUE = Duration.ofMillis(100);

    private final Ledger ledger;
    private final Duration renewEvery;
    private final FireLoop loop;
    private final Relay relay;
    private final Counter fired;
    private final Counter skipped;
    private final WakeUp wakeUp;
    private final Semaphore signals = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "fire");
    private volatile Optional<Leader.Term> term = Optional.empty();
    private volatile Optional<String> trouble = Optional.of("not started yet");
    private volatile boolean stopping;

    public FireThread(
            Ledger ledger,
            BrokerSettings broker,
            String beat,
            Duration lease,
            Duration renewEvery,
            MeterRegistry meters) {
        this.ledger = ledger;
        this.renewEvery = renewEvery;
        this.fired = meters.counter(MetricNames.RUNS_FIRED);
        this.skipped = meters.counter(MetricNames.FIRES_SKIPPED);
        this.relay = new Relay(ledger, broker, beat);
        this.loop = new FireLoop(ledger, beat, lease, renewEvery, relay::handOver);
        try {
            this.wakeUp = new WakeUp(beat, this::wake);
        } catch (SchedulerException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public void start() {
        relay.start();
        thread.start();
    }

    public void submit(ScheduleSet schedules) {
        loop.submit(schedules);
        signals.release();
    }

    /** The file cannot be read from the start: the ledger's schedules go on. */
    public void fallBackOnLedger() {
        loop.fallBackOnLedger();
        signals.release();
    }

    /** The leadership that this beat holds, as far as it knows. */
    public Optional<Leader.Term> term() {
        return term;
    }

    /** What keeps fires from becoming runs, or runs from reaching their queues. */
    public List<String> troubles() {
        return Stream.of(trouble, relay.trouble()).flatMap(Optional::stream).toList();
    }

    @Override
    public void close() {
        stopping = true;
        signals.release();
        Joining.join(thread, Duration.ofSeconds(10));
        relay.close();
        try {
            wakeUp.close();
        } catch (SchedulerException failed) {
            log.warn("the alarm clock did not stop: {}", failed.getMessage());
        }
    }

    private void run() {
        Duration backOff = SHORTEST_BACK_OFF;
        boolean migrated = false;
        while (!stopping) {
            try {
                if (!migrated) {
                    ledger.migrate();
                    migrated = true;
                }
                pass();
                backOff = SHORTEST_BACK_OFF;
                recovered();
            } catch (SQLException | RuntimeException | Error failure) {
                failed(failure);
                await(backOff);
                backOff = longer(backOff);
            } catch (SchedulerException failure) {
                failed(failure);
                await(SHORTEST_BACK_OFF);
            }
        }
        release();
    }

    private void pass() throws SQLException, SchedulerException {
        FireLoop.Pass pass = loop.pass();
        term = loop.term();
        relay.lead(pass.leading());
        fired.increment(pass.runs());
        skipped.increment(pass.skips());
        await(pass.next().isPresent() ? rest(pass.next().get()) : renewEvery);
    }

    private Duration rest(FireLoop.Next next) throws SchedulerException {
        if (next.in().compareTo(renewEvery) >= 0) {
            return renewEvery;
        }
        wakeUp.set(next.fireTime(), next.in());
        Duration overdue = next.in().plus(ALARM_OVERDUE);
        return overdue.compareTo(renewEvery) < 0 ? overdue : renewEvery;
    }

    private void wake(Instant fireTime) {
        log.debug("the alarm for {} goes off", fireTime);
        signals.release();
    }

    private void await(Duration longest) {
        try {
            if (signals.tryAcquire(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                signals.drainPermits();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            stopping = true;
        }
    }

    private void failed(Throwable failure) {
        Optional<String> explained = ServerTrouble.ofLedger(failure, ledger.settings());
        String message = explained.orElse(String.valueOf(failure.getMessage()));
        if (!trouble.equals(Optional.of(message))) {
            log.warn("cannot fire, trying again: {}", message, explained.isPresent() ? null : failure);
        }
        trouble = Optional.of(message);
    }

    private void recovered() {
        if (trouble.isPresent()) {
            trouble = Optional.empty();
            log.info("the ledger is at hand");
        }
    }

    private void release() {
        relay.lead(false);
        try {
            loop.release();
        } catch (SQLException unreachable) {
            log.warn("the lead could not be given away, it runs out by itself: {}", unreachable.getMessage());
        }
        term = Optional.empty();
    }

    private static Duration longer(Duration backOff) {
        Duration twice = backOff.multipliedBy(2);
        return twice.compareTo(LONGEST_BACK_OFF) < 0 ? twice : LONGEST_BACK_OFF;
    }
}
