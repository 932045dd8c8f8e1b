package io.onbeat.worker.consume;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.fault.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message as the broker handed it over. It is answered once: acknowledged, or given back; whatever comes after the first
 * answer does nothing, and so does an answer after its channel has closed, since the broker delivers it again by itself.
 */
public final class Delivery {
    private final QueueChannel channel;
    private final String queue;
    private final long tag;
    private final BasicProperties properties;
    private final byte[] body;
    private final long receivedNanos = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();

    Delivery(QueueChannel channel, String queue, long tag, BasicProperties properties, byte[] body) {
        this.channel = channel;
        this.queue = queue;
        this.tag = tag;
        this.properties = properties;
        this.body = body;
    }

    /** The queue's name without the namespace. */
    public String queue() {
        return queue;
    }

    public BasicProperties properties() {
        return properties;
    }

    public byte[] body() {
        return body;
    }

    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - receivedNanos);
    }

    /** Its channel has closed: the broker delivers the message anew, to whoever is next. */
    public boolean isStale() {
        return !channel.isOpen();
    }

    public void ack() {
        ack(List.of(this));
    }

    /** Acknowledges them in as few words as the broker allows. */
    public static void ack(Collection<Delivery> deliveries) {
        Map<QueueChannel, List<Long>> tags = new HashMap<>();
        for (Delivery delivery : deliveries) {
            if (delivery.answered.compareAndSet(false, true)) {
                tags.computeIfAbsent(delivery.channel, c -> new ArrayList<>()).add(delivery.tag);
            }
        }
        tags.forEach(QueueChannel::ack);
        if (!tags.isEmpty()) {
            CrashPoint.ACKED.pass();
        }
    }

    /** Puts it back into its queue, for whoever is next. */
    public void giveBack() {
        if (answered.compareAndSet(false, true)) {
            channel.giveBack(tag);
        }
    }
}
