package io.onbeat.local;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A beat or worker that is started again when it ends unasked, each time after a longer pause. */
final class Supervised {
    private static final int TAIL = 12;

    private final GuardedProcess.Spec spec;
    private final Screen screen;
    private final ScheduledExecutorService later;
    private final BackOff backOff = new BackOff();
    private boolean stopping;
    private GuardedProcess process;

    private Supervised(GuardedProcess.Spec spec, Screen screen, ScheduledExecutorService later) {
        this.spec = spec;
        this.screen = screen;
        this.later = later;
    }

    static Supervised start(GuardedProcess.Spec spec, Screen screen, ScheduledExecutorService later) {
        Supervised child = new Supervised(spec, screen, later);
        child.launch(GuardedProcess::start);
        return child;
    }

    private synchronized void launch(Function<GuardedProcess.Spec, GuardedProcess> starter) {
        if (stopping) {
            return;
        }
        process = starter.apply(spec);
        long began = System.nanoTime();
        Executor onSupervisor = later;
        process.onExit()
                .thenAcceptAsync(code -> ended(code, Duration.ofNanos(System.nanoTime() - began)), onSupervisor);
    }

    private synchronized void ended(int code, Duration lived) {
        if (stopping) {
            return;
        }
        Duration pause = backOff.pauseAfter(lived);
        screen.block(process.logTail(TAIL).indent(4).stripTrailing());
        screen.line(spec.name() + " ended unexpectedly (exit " + code + "): starts again in " + pause.toSeconds()
                + " s; its log is " + spec.log());
        later.schedule(() -> launch(GuardedProcess::startAgain), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    synchronized boolean isRunning() {
        return process.isAlive();
    }

    synchronized void askToStop() {
        stopping = true;
        process.askToStop();
    }

    void waitUntilStopped() {
        process.stop();
    }

    void kill() {
        synchronized (this) {
            stopping = true;
        }
        process.kill();
    }
}
