package io.onbeat.local;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a sign, looking again every 20 ms. */
final class Within {
    private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(20);

    private Within() {}

    /** True as soon as the sign shows, false when the time is over or the thread is interrupted. */
    static boolean time(Duration limit, BooleanSupplier sign) {
        long end = System.nanoTime() + limit.toNanos();
        while (!sign.getAsBoolean()) {
            if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_AGAIN);
        }
        return true;
    }
}
