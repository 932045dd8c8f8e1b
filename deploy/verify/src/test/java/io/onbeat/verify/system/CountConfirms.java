package io.onbeat.verify.system;

import io.onbeat.broker.Publisher;
import java.util.concurrent.CountDownLatch;

/** Counts down with every message that the broker has confirmed. */
record CountConfirms(CountDownLatch latch) implements Publisher.Answer {
    @Override
    public void confirmed() {
        latch.countDown();
    }

    @Override
    public void failed(String reason) {
        throw new AssertionError(reason);
    }
}
