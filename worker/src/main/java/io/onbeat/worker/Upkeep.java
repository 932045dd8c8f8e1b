package io.onbeat.worker;

import io.onbeat.worker.execute.Execution;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes on beside the work. One thread renews the leases and reports the worker; it may have to wait for the ledger.
 * Another one waits for nobody: it stops tasks whose time or lease is over, and looks after messages that wait too long.
 */
final class Upkeep {
    private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration TICK = Duration.ofMillis(100);
    /** A task that runs on for so long after its interrupt makes the worker unhealthy. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final WorkerSettings settings;
    private final WorkerParts parts;
    private final Collection<WorkQueue> queues;
    private final BooleanSupplier draining;
    private final Thread renewing = new Thread(this::renewUntilStopped, "renew");
    private final Thread watching = new Thread(this::watchUntilStopped, "watch");

    Upkeep(WorkerSettings settings, WorkerParts parts, Collection<WorkQueue> queues, BooleanSupplier draining) {
        this.settings = settings;
        this.parts = parts;
        this.queues = queues;
        this.draining = draining;
        renewing.setDaemon(true);
        watching.setDaemon(true);
    }

    void start() {
        renewing.start();
        watching.start();
    }

    /** Reports the worker as stopped; leases are renewed no more. */
    void stop() throws InterruptedException {
        boolean started = renewing.isAlive();
        renewing.interrupt();
        watching.interrupt();
        renewing.join();
        watching.join();
        if (started) {
            report("stopped");
        }
    }

    List<String> problems() {
        return parts.executions().ignoringInterrupt(PATIENCE).stream()
                .map(Execution::run)
                .map(run -> "the task " + run.task() + " ignores its interrupt: "
                        + run.attempt().runKey() + ", attempt " + run.attempt().number())
                .toList();
    }

    private void renewUntilStopped() {
        try {
            while (true) {
                Duration pause = renew() ? settings.leases().renew() : afterFailure();
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        } catch (InterruptedException stopped) {
            log.debug("no more leases are renewed");
        }
    }

    private Duration afterFailure() {
        Duration pause = settings.leases().longestPause();
        Duration renew = settings.leases().renew();
        return renew.compareTo(pause) < 0 ? renew : pause;
    }

    private boolean renew() {
        try {
            // without any, the ledger would not be asked, and nothing be known of it
            if (!parts.executions().isIdle()) {
                parts.renewals().once("renew leases", ledger -> {
                    parts.executions().renew(ledger);
                    return true;
                });
            }
        } catch (SQLException | RuntimeException | Error failed) {
            log.debug("leases were not renewed", failed);
            return false;
        }
        report(draining.getAsBoolean() ? "draining" : "up");
        return true;
    }

    private void report(String state) {
        try {
            parts.renewals().once("report the worker", ledger -> {
                parts.report().write(ledger, state, parts.executions().running());
                return true;
            });
        } catch (SQLException | RuntimeException | Error failed) {
            log.debug("the worker was not reported", failed);
        }
    }

    private void watchUntilStopped() {
        try {
            for (long ticks = 0; ; ticks++) {
                try {
                    watch(ticks);
                } catch (RuntimeException | Error unexpected) {
                    log.error("the watch went wrong", unexpected);
                }
                TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
            }
        } catch (InterruptedException stopped) {
            log.debug("nothing is watched any more");
        }
    }

    private void watch(long ticks) {
        Duration handover = settings.leases().ackHandover();
        parts.executions().check(handover);
        if (ticks % 10 == 0) {
            queues.forEach(queue -> {
                queue.inbox().giveBackOlderThan(handover);
                queue.claimer().giveBackOlderThan(handover);
            });
            parts.publishing().failOverdue();
            parts.unreadable().retry();
        }
    }
}
