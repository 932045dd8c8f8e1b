package io.onbeat.broker;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import io.onbeat.message.MessageCodec.Encoded;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes persistent, mandatory messages and reports for each of them whether the broker has taken it. One connection and
 * one channel of its own, opened anew when they break. {@link #publish} is for one thread; the answers come on the
 * connection's thread.
 *
 * <p>Invariant: every message that was accepted by {@code publish} gets exactly one answer: confirmed, or failed when it
 * was returned, refused, or its connection was lost before the confirm.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Publisher.class);

    private final BrokerSettings settings;
    private final String name;
    private final Topology topology;
    private final Topology.Declared declared = new Topology.Declared();
    private volatile Link link;
    private volatile boolean closed;

    public Publisher(BrokerSettings settings, String name) {
        this.settings = settings;
        this.name = name;
        this.topology = new Topology(settings.namespace());
    }

    /** Learns what became of one message. */
    public interface Answer {
        void confirmed();

        void failed(String reason);
    }

    public void publishTask(String queue, Encoded message, Answer answer) throws IOException {
        publish(
                topology.taskExchange(),
                queue,
                topology.taskQueue(queue),
                message,
                answer,
                connection -> topology.declareTaskQueue(connection, queue));
    }

    public void publishRetry(String queue, Duration delay, Encoded message, Answer answer) throws IOException {
        publish(
                topology.retryExchange(),
                topology.retryKey(queue, delay),
                topology.retryQueue(queue, delay),
                message,
                answer,
                connection -> topology.declareRetryQueue(connection, queue, delay));
    }

    public void publishDead(String queue, Encoded message, Answer answer) throws IOException {
        publish(
                topology.deadExchange(),
                queue,
                topology.deadQueue(queue),
                message,
                answer,
                connection -> topology.declareTaskQueue(connection, queue));
    }

    /** How many messages have no answer yet. */
    public int inFlight() {
        Link current = link;
        return current == null ? 0 : current.pending.size();
    }

    /** Why the broker takes no messages at the moment, as it says: it is short of memory or disk. */
    public Optional<String> blocked() {
        Link current = link;
        return current == null ? Optional.empty() : current.blocked;
    }

    /** Breaks the connection when its oldest unanswered message is older than {@code limit}: all of them fail at once. */
    public void breakWhenStuck(Duration limit) {
        Link current = link;
        if (current != null) {
            Map.Entry<Long, Pending> oldest = current.pending.firstEntry();
            if (oldest != null && System.nanoTime() - oldest.getValue().sentNanos > limit.toNanos()) {
                log.warn("the broker has not confirmed a message for {}: reconnecting", limit);
                current.connection.abort(1_000);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        Link current = link;
        if (current != null) {
            current.connection.abort(1_000);
        }
    }

    private void publish(
            String exchange,
            String routingKey,
            String queue,
            Encoded message,
            Answer answer,
            Topology.Declaration declaration)
            throws IOException {
        Link current = open();
        declared.once(queue, current.connection, declaration);
        long number = current.channel.getNextPublishSeqNo();
        current.pending.put(number, new Pending(message.properties().getMessageId(), queue, answer, System.nanoTime()));
        try {
            current.channel.basicPublish(exchange, routingKey, true, message.properties(), message.body());
        } catch (IOException | RuntimeException broken) {
            // the answer is given here and nowhere else: this exception, unless the link's end has given it already
            if (current.pending.remove(number) != null) {
                current.connection.abort(1_000);
                throw new IOException("publishing to " + queue + " failed: " + broken.getMessage(), broken);
            }
        }
    }

    private Link open() throws IOException {
        Link current = link;
        if (current != null && current.channel.isOpen()) {
            return current;
        }
        if (closed) {
            throw new IOException("the publisher is closed");
        }
        if (current != null) {
            current.connection.abort(1_000);
        }
        Connection connection = Brokers.connect(settings, name);
        try {
            link = new Link(connection, connection.createChannel());
            return link;
        } catch (IOException | RuntimeException broken) {
            connection.abort(1_000);
            throw broken;
        }
    }

    private record Pending(String messageId, String queue, Answer answer, long sentNanos) {}

    /** One connection with its channel and what is unanswered on it. */
    private final class Link {
        private final Connection connection;
        private final Channel channel;
        private final ConcurrentNavigableMap<Long, Pending> pending = new ConcurrentSkipListMap<>();
        private volatile Optional<String> blocked = Optional.empty();

        Link(Connection connection, Channel channel) throws IOException {
            this.connection = connection;
            this.channel = channel;
            channel.confirmSelect();
            channel.addReturnListener(this::returned);
            channel.addConfirmListener(
                    (number, multiple) -> answer(number, multiple, null),
                    (number, multiple) ->
                            answer(number, multiple, "the broker refused it (queue full or out of resources)"));
            connection.addBlockedListener(reason -> blocked = Optional.of(reason), () -> blocked = Optional.empty());
            channel.addShutdownListener(cause -> {
                if (!closed) {
                    log.warn("the publishing channel closed: {}", cause.getMessage());
                }
                failAll("the connection was lost before the broker confirmed it");
                connection.abort(1_000);
            });
        }

        private void answer(long number, boolean multiple, String failure) {
            if (!multiple) {
                tell(pending.remove(number), failure);
                return;
            }
            Map<Long, Pending> answered = pending.headMap(number, true);
            for (Long each : answered.keySet()) {
                tell(pending.remove(each), failure);
            }
        }

        private void tell(Pending message, String failure) {
            if (message == null) {
                return;
            }
            if (failure == null) {
                message.answer.confirmed();
            } else {
                message.answer.failed(failure);
            }
        }

        // a returned message is confirmed as well, after its return: it must be out of pending by then
        private void returned(Return back) {
            String id = back.getProperties().getMessageId();
            for (Map.Entry<Long, Pending> entry : pending.entrySet()) {
                if (Objects.equals(entry.getValue().messageId, id)
                        && pending.remove(entry.getKey(), entry.getValue())) {
                    declared.forget(entry.getValue().queue);
                    entry.getValue()
                            .answer
                            .failed("no queue takes it: " + back.getReplyText() + ", routing key "
                                    + back.getRoutingKey() + " of exchange " + back.getExchange());
                    return;
                }
            }
        }

        private void failAll(String reason) {
            for (Long number : pending.keySet()) {
                Pending message = pending.remove(number);
                if (message != null) {
                    message.answer.failed(reason);
                }
            }
        }
    }
}
