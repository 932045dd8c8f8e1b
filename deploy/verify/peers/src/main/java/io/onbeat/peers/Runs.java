package io.onbeat.peers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How often each of the no-op jobs of a round ran. */
final class Runs {
    private static volatile Runs current = new Runs(0);

    private final AtomicIntegerArray times;
    private final CountDownLatch missing;

    private Runs(int count) {
        this.times = new AtomicIntegerArray(count);
        this.missing = new CountDownLatch(count);
    }

    /** The libraries make the jobs' objects: they find their round here. */
    static Runs begin(int count) {
        current = new Runs(count);
        return current;
    }

    static void ran(int number) {
        current.mark(number);
    }

    private void mark(int number) {
        if (times.getAndIncrement(number) == 0) {
            missing.countDown();
        }
    }

    void awaitAll(long minutes) throws InterruptedException {
        if (!missing.await(minutes, TimeUnit.MINUTES)) {
            throw new IllegalStateException(missing.getCount() + " jobs did not run within " + minutes + " minutes");
        }
    }

    void checkOnce() {
        for (int number = 0; number < times.length(); number++) {
            if (times.get(number) != 1) {
                throw new IllegalStateException("job " + number + " ran " + times.get(number) + " times");
            }
        }
    }
}
