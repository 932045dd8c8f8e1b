package io.onbeat.worker.consume;

import com.rabbitmq.client.Connection;
import io.onbeat.broker.Topology;
import io.onbeat.worker.retry.GrowingDelay;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wish to consume one queue, and how it is being fulfilled. For the consuming thread, except {@link #problem}. */
final class Subscription {
    private static final Logger log = LoggerFactory.getLogger(Subscription.class);

    private final String queue;
    private final int prefetch;
    private final GrowingDelay delay = GrowingDelay.forServers();
    private Optional<QueueChannel> channel = Optional.empty();
    private long nextTryNanos = System.nanoTime();
    private volatile String problem = "not connected yet";

    Subscription(String queue, int prefetch) {
        this.queue = queue;
        this.prefetch = prefetch;
    }

    /** Opens its channel where there is none, unless the last failure is too recent. */
    void open(Connection connection, Topology topology, Consumer<Delivery> sink, Runnable ended) {
        if (channel.filter(QueueChannel::isConsuming).isPresent() || System.nanoTime() - nextTryNanos < 0) {
            return;
        }
        channel.ifPresent(QueueChannel::abort);
        channel = Optional.empty();
        try {
            topology.declareTaskQueue(connection, queue);
            channel =
                    Optional.of(QueueChannel.open(connection, queue, topology.taskQueue(queue), prefetch, sink, ended));
            problem = "";
            delay.reset();
            log.info("consuming {} (prefetch {})", topology.taskQueue(queue), prefetch);
        } catch (IOException | RuntimeException | Error refused) {
            Duration wait = delay.next();
            nextTryNanos = System.nanoTime() + wait.toNanos();
            problem = "cannot consume " + topology.taskQueue(queue) + ": " + Reasons.of(refused);
            log.warn("{}; trying again in {} ms", problem, wait.toMillis());
        }
    }

    void connectionLost(String reason) {
        channel = Optional.empty();
        nextTryNanos = System.nanoTime();
        problem = reason;
    }

    void cancel() {
        channel.ifPresent(QueueChannel::cancel);
    }

    Duration untilNextTry() {
        boolean waiting = channel.filter(QueueChannel::isConsuming).isEmpty();
        return waiting ? Duration.ofNanos(Math.max(0, nextTryNanos - System.nanoTime())) : Duration.ofDays(1);
    }

    /** Why it is not consuming; empty where it is. */
    String problem() {
        return problem;
    }
}
