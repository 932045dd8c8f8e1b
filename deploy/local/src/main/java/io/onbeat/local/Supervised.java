package io.onbeat.local;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A beat or worker that is started again when it ends unasked, each time after a longer pause. */
final class Supervised {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration HEALTHY = Duration.ofSeconds(60);
    private static final int TAIL = 12;

    private final GuardedProcess.Spec spec;
    private final Screen screen;
    private final ScheduledExecutorService later;
    private Duration pause = FIRST_PAUSE;
    private boolean stopping;
    private GuardedProcess process;

    private Supervised(GuardedProcess.Spec spec, Screen screen, ScheduledExecutorService later) {
        this.spec = spec;
        this.screen = screen;
        this.later = later;
    }

    static Supervised start(GuardedProcess.Spec spec, Screen screen, ScheduledExecutorService later) {
        Supervised child = new Supervised(spec, screen, later);
        child.launch();
        return child;
    }

    private synchronized void launch() {
        if (stopping) {
            return;
        }
        process = GuardedProcess.start(spec);
        long began = System.nanoTime();
        Executor onSupervisor = later;
        process.onExit()
                .thenAcceptAsync(code -> ended(code, Duration.ofNanos(System.nanoTime() - began)), onSupervisor);
    }

    private synchronized void ended(int code, Duration lived) {
        if (stopping) {
            return;
        }
        if (lived.compareTo(HEALTHY) > 0) {
            pause = FIRST_PAUSE;
        }
        screen.block(process.logTail(TAIL).indent(4).stripTrailing());
        screen.line(spec.name() + " ended unexpectedly (exit " + code + "): starts again in " + pause.toSeconds()
                + " s; its log is " + spec.log());
        later.schedule(this::launch, pause.toMillis(), TimeUnit.MILLISECONDS);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
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
