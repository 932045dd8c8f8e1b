package io.onbeat.verify.faults;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Somebody outside who does the same thing every second; what fails while a server is away is given up. */
abstract class Steady implements AutoCloseable {
    private final ScheduledExecutorService timer;
    private final ScheduledFuture<?> work;

    Steady(String name) {
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        work = timer.scheduleWithFixedDelay(this::attempt, 1, 1, TimeUnit.SECONDS);
    }

    abstract void step() throws Exception;

    private void attempt() {
        try {
            step();
        } catch (Exception serverIsAway) {
            // its caller would try again, or not
        }
    }

    @Override
    public void close() {
        work.cancel(false);
        timer.shutdown();
        try {
            timer.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
