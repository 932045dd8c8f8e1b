package io.onbeat.beat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that does one step again and again. A step that fails is reported once, until it succeeds again. */
final class Repeating implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Repeating.class);

    private final String name;
    private final Duration pause;
    private final Step step;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private String lastFailure = "";

    /** One pass; what it throws is logged, and the next pass comes in its time. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    Repeating(String name, Duration pause, Step step) {
        this.name = name;
        this.pause = pause;
        this.step = step;
        this.thread = new Thread(this::loop, name);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        stop.countDown();
        Joining.join(thread, Duration.ofSeconds(5));
    }

    private void loop() {
        try {
            do {
                pass();
            } while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass() {
        try {
            step.run();
            lastFailure = "";
        } catch (Exception | Error failure) {
            if (!String.valueOf(failure.getMessage()).equals(lastFailure)) {
                log.warn(
                        "{}: {}",
                        name,
                        failure.getMessage(),
                        failure instanceof RuntimeException || failure instanceof Error ? failure : null);
                lastFailure = String.valueOf(failure.getMessage());
            }
        }
    }
}
