package io.onbeat.verify.faults;

/** How bytes pass between a process and a server just now. */
final class Flow {
    private static final long LATE_MILLIS = 150;

    enum Mode {
        PASS,
        SLOW,
        STALL,
        REFUSE
    }

    private Mode mode = Mode.PASS;

    synchronized void set(Mode next) {
        mode = next;
        notifyAll();
    }

    synchronized boolean refuses() {
        return mode == Mode.REFUSE;
    }

    /** Returns when the bytes at hand may go on. */
    synchronized void await() throws InterruptedException {
        if (mode == Mode.SLOW) {
            wait(LATE_MILLIS);
        }
        while (mode == Mode.STALL) {
            wait();
        }
    }
}
