package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.OnceSteps;
import io.onbeat.ledger.OnceSteps.Begun;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** This process's start of a step that is done once, kept by a lease until it is finished, given up or lost. */
final class OnceStart implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final OnceSteps steps;
    private final String key;
    private final Duration lease;
    private final UUID holder = UUID.randomUUID();
    // one thread may hang in the database while the other sees that the time is over
    private final ScheduledExecutorService watch = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "once");
        thread.setDaemon(true);
        return thread;
    });
    private volatile long heldUntilNanos;
    private volatile boolean lost;

    OnceStart(Ledger ledger, String key, Duration lease) {
        this.ledger = ledger;
        this.steps = new OnceSteps(ledger.namespace());
        this.key = key;
        this.lease = lease;
    }

    /**
     * Waits for a machine that is too busy to connect at once; a ledger that is away is an error at once.
     *
     * @param runKey who does it
     */
    Begun begin(String runKey) throws SQLException {
        long giveUpNanos = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Connection connection = ledger.connection()) {
                // counted from before it was asked: the database's own count can only end later
                heldUntilNanos = System.nanoTime() + lease.toNanos();
                return steps.begin(connection, key, runKey, holder, Optional.of(lease));
            } catch (SQLTransientConnectionException slow) {
                if (slow.getCause() != null || System.nanoTime() - giveUpNanos >= 0) {
                    throw slow;
                }
            }
        }
    }

    /** Renews the lease from now on; {@code onLoss} is called once, when another may have begun. */
    void keep(Runnable onLoss) {
        long third = lease.toMillis() / 3;
        watch.scheduleWithFixedDelay(() -> renew(onLoss), third, third, TimeUnit.MILLISECONDS);
        watch.scheduleWithFixedDelay(() -> check(onLoss), third, lease.toMillis() / 20, TimeUnit.MILLISECONDS);
    }

    boolean isLost() {
        return lost;
    }

    /** @return false where another has taken the step over */
    boolean finish(Optional<String> result) throws SQLException {
        try (Connection connection = ledger.connection()) {
            return steps.finish(connection, key, holder, result);
        }
    }

    void giveUp() throws SQLException {
        try (Connection connection = ledger.connection()) {
            steps.giveUp(connection, key, holder);
        }
    }

    private void renew(Runnable onLoss) {
        try (Connection connection = ledger.connection()) {
            long asked = System.nanoTime();
            if (steps.renew(connection, key, holder, lease)) {
                heldUntilNanos = asked + lease.toNanos();
            } else {
                lose(onLoss);
            }
        } catch (SQLException away) {
            // tried again until the lease is over
            return;
        }
    }

    private void check(Runnable onLoss) {
        if (System.nanoTime() - heldUntilNanos >= 0) {
            lose(onLoss);
        }
    }

    private void lose(Runnable onLoss) {
        synchronized (this) {
            if (lost || watch.isShutdown()) {
                return;
            }
            lost = true;
        }
        onLoss.run();
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
