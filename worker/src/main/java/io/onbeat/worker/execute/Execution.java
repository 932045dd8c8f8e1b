package io.onbeat.worker.execute;

import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.task.Task;
import io.onbeat.worker.consume.Delivery;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One attempt, from its claim until it is settled: runs the task, holds the lease's local end, takes interrupts.
 *
 * <p>Invariant: the thread is interrupted only while it runs this attempt's task, and at most once.
 */
public final class Execution {
    private static final Logger log = LoggerFactory.getLogger(Execution.class);

    private final ClaimedRun run;
    private final Delivery delivery;
    private final BiConsumer<Execution, Outcome> finished;
    private final Secrets secrets = new Secrets();
    private final AtomicReference<Progress> progress = new AtomicReference<>();
    private volatile long heldUntilNanos;
    private volatile long startedNanos;
    private volatile long stoppedNanos;

    private Optional<Thread> thread = Optional.empty();
    private Optional<StopReason> stopReason = Optional.empty();
    private Optional<LedgerTransaction> transaction = Optional.empty();
    private String lostLock = "";
    private boolean ended;

    /**
     * @param heldUntilNanos {@code System.nanoTime()} at which the lease of the claim ends
     * @param finished called once, on the task's thread
     */
    public Execution(ClaimedRun run, Delivery delivery, long heldUntilNanos, BiConsumer<Execution, Outcome> finished) {
        this.run = run;
        this.delivery = delivery;
        this.heldUntilNanos = heldUntilNanos;
        this.finished = finished;
    }

    public ClaimedRun run() {
        return run;
    }

    public Delivery delivery() {
        return delivery;
    }

    /** Runs the task on this thread, and reports how it ended. Never throws. */
    void execute(TaskKit kit) {
        Optional<Throwable> error = Optional.empty();
        Optional<String> result = Optional.empty();
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        if (begin()) {
            MDC.put("run", run.attempt().runKey());
            try {
                result = runTask(kit);
            } catch (Throwable thrown) {
                error = Optional.of(thrown);
            } finally {
                MDC.remove("run");
            }
        }
        Optional<Outcome> outcome = end(result, error);
        Thread.currentThread().setContextClassLoader(before);
        outcome.ifPresent(how -> finished.accept(this, how));
    }

    /** There was no thread to run it on. */
    void abandon() {
        stop(StopReason.RELEASED);
        end(Optional.empty(), Optional.empty()).ifPresent(how -> finished.accept(this, how));
    }

    /** Gives the run back although its task goes on: for a process that is about to end, and the task with it. */
    public void giveUp() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        finished.accept(this, new Outcome.Released());
    }

    private Optional<String> runTask(TaskKit kit) throws Exception {
        Task task = kit.tasks().find(run.task());
        Thread.currentThread().setContextClassLoader(task.getClass().getClassLoader());
        LedgerTransaction own = new LedgerTransaction(kit, run, secrets);
        synchronized (this) {
            transaction = Optional.of(own);
        }
        try (TaskLocks locks =
                new TaskLocks(kit.locks(), kit.worker() + " (" + run.attempt().runKey() + ")", this::lockLost)) {
            Object result = task.run(new AttemptContext(run, kit, own, locks, secrets, this::stopping, progress::set));
            CrashPoint.EXECUTED.pass();
            return own.isCommitted() ? Optional.empty() : Results.json(result, secrets);
        }
    }

    private synchronized boolean begin() {
        if (stopReason.isPresent()) {
            return false;
        }
        thread = Optional.of(Thread.currentThread());
        startedNanos = System.nanoTime();
        return true;
    }

    /** Empty where it was given up before. */
    private synchronized Optional<Outcome> end(Optional<String> result, Optional<Throwable> error) {
        thread = Optional.empty();
        // an interrupt that came too late must not meet the next task on this thread
        Thread.interrupted();
        if (ended) {
            return Optional.empty();
        }
        ended = true;
        return Optional.of(outcome(result, error));
    }

    private Outcome outcome(Optional<String> result, Optional<Throwable> error) {
        if (transaction.filter(LedgerTransaction::isCommitted).isPresent()) {
            error.ifPresent(this::logAfterCommit);
            return new Outcome.Succeeded(Optional.empty());
        }
        if (stopReason.isPresent()) {
            return Outcomes.stopped(stopReason.get(), run, lostLock, error, secrets);
        }
        return error.map(thrown -> Outcomes.thrown(thrown, secrets)).orElseGet(() -> new Outcome.Succeeded(result));
    }

    private void logAfterCommit(Throwable error) {
        log.warn(
                "{} has succeeded with its transaction's commit; what its task threw after that changes nothing: {}",
                run.attempt().runKey(),
                Outcomes.failure(error, secrets).stackTrace().stripTrailing());
    }

    /** Interrupts the task, once; the first reason stands, except that a lost lease overrules every other. */
    public synchronized void stop(StopReason reason) {
        if (ended || reason == StopReason.LEASE_LOST && isCommitting()) {
            return;
        }
        if (stopReason.isEmpty()) {
            stopReason = Optional.of(reason);
            stoppedNanos = System.nanoTime();
            thread.ifPresent(Thread::interrupt);
            transaction.ifPresent(LedgerTransaction::interrupt);
        } else if (reason == StopReason.LEASE_LOST) {
            stopReason = Optional.of(reason);
        }
    }

    private synchronized void lockLost(String name) {
        lostLock = name;
        stop(StopReason.LOCK_LOST);
    }

    private synchronized boolean stopping() {
        return stopReason.isPresent();
    }

    // its own transaction's last statement decides whether it still holds the run
    private boolean isCommitting() {
        return transaction.filter(LedgerTransaction::isCommitting).isPresent();
    }

    /** What it has told and the ledger does not know. */
    Optional<Progress> newProgress() {
        return Optional.ofNullable(progress.get());
    }

    /** The ledger knows it: nothing is new, unless it has told more meanwhile. */
    void progressKept(Progress kept) {
        progress.compareAndSet(kept, null);
    }

    /** The lease was renewed: it stands until then, as {@code System.nanoTime()} goes. */
    void renewed(long untilNanos) {
        heldUntilNanos = untilNanos;
    }

    /** Whether its lease is this worker's to renew. */
    synchronized boolean isHeld() {
        return stopReason.filter(reason -> reason == StopReason.LEASE_LOST).isEmpty();
    }

    synchronized boolean isRunning() {
        return !ended;
    }

    /** Stops the task where its lease or its time is over. */
    void check(long nowNanos) {
        if (nowNanos - heldUntilNanos >= 0) {
            stop(StopReason.LEASE_LOST);
        }
        long started = startedNanos;
        if (started != 0 && nowNanos - started >= run.timeout().toNanos()) {
            stop(StopReason.TIMED_OUT);
        }
    }

    /** True when the task goes on although it was interrupted that long ago. */
    synchronized boolean ignoresInterrupt(Duration since) {
        return !ended && stopReason.isPresent() && System.nanoTime() - stoppedNanos > since.toNanos();
    }
}
