package io.onbeat.worker.execute;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue's slots: how many of its runs execute at once, and the threads that they execute on. */
public final class Slots {
    private static final Logger log = LoggerFactory.getLogger(Slots.class);

    private final Semaphore free;
    private final ExecutorService threads;
    private final TaskKit kit;

    public Slots(String queue, int size, boolean virtual, TaskKit kit) {
        this.free = new Semaphore(size);
        this.threads = virtual ? VirtualThreads.executor() : platformThreads(queue, size);
        this.kit = kit;
    }

    /** Waits for a free slot, and takes all that are free; {@link #start} and {@link #giveBack} free them again. */
    public int take() throws InterruptedException {
        free.acquire();
        return 1 + free.drainPermits();
    }

    public void giveBack(int slots) {
        free.release(slots);
    }

    /** Executes in a slot that was taken, and frees it when the task has ended. */
    public void start(Execution execution) {
        try {
            threads.execute(() -> {
                try {
                    execution.execute(kit);
                } finally {
                    free.release();
                }
            });
        } catch (RuntimeException | OutOfMemoryError noThread) {
            log.error(
                    "no thread for {}: it is given back",
                    execution.run().attempt().runKey(),
                    noThread);
            execution.abandon();
            free.release();
        }
    }

    public void close() {
        threads.shutdown();
    }

    private static ExecutorService platformThreads(String queue, int size) {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(size, size, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, "run-" + queue + "-" + count.incrementAndGet());
                    // a task that ignores its interrupt must not keep the process alive
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
