package io.onbeat.worker.execute;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads, which Java 17 does not have: reached by reflection, so that one jar serves old and new. */
public final class VirtualThreads {
    private static final int SINCE = 21;

    private VirtualThreads() {}

    public static boolean available() {
        return Runtime.version().feature() >= SINCE;
    }

    static ExecutorService executor() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException tooOld) {
            throw new UnsupportedOperationException("virtual threads need Java " + SINCE + " or newer", tooOld);
        }
    }
}
