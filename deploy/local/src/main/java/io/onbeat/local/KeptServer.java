package io.onbeat.local;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** PostgreSQL or RabbitMQ under a running Onbeat: started again when it ends unasked, each time after a longer pause. */
final class KeptServer {
    private final OwnServer server;
    private final Screen screen;
    private final ScheduledExecutorService later;
    private final BackOff backOff = new BackOff();
    private boolean closing;
    private long began;

    private KeptServer(OwnServer server, Screen screen, ScheduledExecutorService later) {
        this.server = server;
        this.screen = screen;
        this.later = later;
    }

    static KeptServer keep(OwnServer server, Screen screen, ScheduledExecutorService later) {
        KeptServer kept = new KeptServer(server, screen, later);
        kept.watch();
        return kept;
    }

    private synchronized void watch() {
        began = System.nanoTime();
        Executor onSupervisor = later;
        server.onExit().thenAcceptAsync(this::ended, onSupervisor);
    }

    private synchronized void ended(int code) {
        if (!closing) {
            startLater(" ended unexpectedly (exit " + code + "): starts again in ");
        }
    }

    private void startLater(String what) {
        Duration pause = backOff.pauseAfter(Duration.ofNanos(System.nanoTime() - began));
        screen.line(server.name() + what + pause.toSeconds() + " s; its log is " + server.log());
        later.schedule(this::startAgain, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void startAgain() {
        if (closing) {
            return;
        }
        began = System.nanoTime();
        try {
            server.startAgain();
            watch();
            screen.line(server.name() + " runs again, on the same port and data");
        } catch (ServiceFailure failed) {
            // Interrupted means that all of this is being stopped.
            if (!Thread.currentThread().isInterrupted()) {
                startLater(" did not start: tries again in ");
            }
        }
    }

    /** Waits for a start that is under way. */
    synchronized void close() {
        closing = true;
        server.close();
    }
}
