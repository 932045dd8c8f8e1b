package io.onbeat.worker.consume;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A channel that consumes one queue. When it closes it is done with; its owner opens another. */
final class QueueChannel {
    private static final Logger log = LoggerFactory.getLogger(QueueChannel.class);

    private final Channel channel;
    private final TreeSet<Long> unanswered = new TreeSet<>();
    private volatile boolean consuming = true;
    private volatile String consumerTag = "";

    private QueueChannel(Channel channel) {
        this.channel = channel;
    }

    /**
     * @param queue without the namespace, {@code brokerQueue} with it
     * @param ended called when nothing more will come: the channel closed, or the queue was deleted
     */
    static QueueChannel open(
            Connection connection,
            String queue,
            String brokerQueue,
            int prefetch,
            Consumer<Delivery> sink,
            Runnable ended)
            throws IOException {
        QueueChannel opened = new QueueChannel(connection.createChannel());
        try {
            opened.channel.basicQos(prefetch);
            opened.consumerTag = opened.channel.basicConsume(brokerQueue, opened.consumer(queue, sink, ended));
            return opened;
        } catch (IOException | RuntimeException refused) {
            opened.abort();
            throw refused;
        }
    }

    boolean isConsuming() {
        return consuming && channel.isOpen();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Asks the broker for no more messages; those that are here may still be answered. */
    void cancel() {
        consuming = false;
        quietly(() -> channel.basicCancel(consumerTag));
    }

    void abort() {
        consuming = false;
        quietly(channel::abort);
    }

    // One "multiple" covers all tags up to the lowest one that is still unanswered; those above it are named one by
    // one.
    synchronized void ack(List<Long> tags) {
        tags.forEach(unanswered::remove);
        long lowestUnanswered = unanswered.isEmpty() ? Long.MAX_VALUE : unanswered.first();
        long upTo = tags.stream()
                .mapToLong(Long::longValue)
                .filter(tag -> tag < lowestUnanswered)
                .max()
                .orElse(0);
        quietly(() -> {
            if (upTo > 0) {
                channel.basicAck(upTo, true);
            }
            for (long tag : tags) {
                if (tag > upTo) {
                    channel.basicAck(tag, false);
                }
            }
        });
    }

    synchronized void giveBack(long tag) {
        unanswered.remove(tag);
        quietly(() -> channel.basicNack(tag, false, true));
    }

    private synchronized void arrived(long tag) {
        unanswered.add(tag);
    }

    private DefaultConsumer consumer(String queue, Consumer<Delivery> sink, Runnable ended) {
        return new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String consumer, Envelope envelope, BasicProperties properties, byte[] body) {
                arrived(envelope.getDeliveryTag());
                sink.accept(new Delivery(QueueChannel.this, queue, envelope.getDeliveryTag(), properties, body));
            }

            @Override
            public void handleCancel(String consumer) {
                log.warn("the broker ended consuming {}: its queue was deleted or has lost its leader", queue);
                consuming = false;
                ended.run();
            }

            @Override
            public void handleShutdownSignal(String consumer, ShutdownSignalException cause) {
                consuming = false;
                ended.run();
            }
        };
    }

    @FunctionalInterface
    private interface Words {
        void say() throws IOException;
    }

    // on a closed channel there is nobody to tell: the broker delivers again what was not answered
    private static void quietly(Words words) {
        try {
            words.say();
        } catch (IOException | AlreadyClosedException gone) {
            log.debug("not said on a closed channel: {}", gone.getMessage());
        }
    }
}
