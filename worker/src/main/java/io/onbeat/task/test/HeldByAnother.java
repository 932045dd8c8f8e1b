package io.onbeat.task.test;

import io.onbeat.lock.HeldLock;
import io.onbeat.task.Lock;

/** A lock that the test holds. */
record HeldByAnother(HeldLock lock) implements Lock.Held {
    @Override
    public long token() {
        return lock.token();
    }

    @Override
    public boolean isHeld() {
        return lock.isHeld();
    }

    @Override
    public void close() {
        lock.close();
    }
}
