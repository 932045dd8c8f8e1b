package io.onbeat.broker;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Every exchange and queue: their names, their arguments, their declaration.
 *
 * <pre>
 * exchange NS.task  (direct) → queue NS.task.QUEUE          dead-letters to NS.dead
 * exchange NS.retry (direct) → queue NS.retry.QUEUE.DELAY   one fixed time-to-live; dead-letters to NS.task
 * exchange NS.dead  (direct) → queue NS.dead.QUEUE
 * </pre>
 *
 * All queues are quorum queues. None has a delivery limit: the ledger caps the attempts, and a requeue is no failure.
 */
public final class Topology {
    private final String namespace;

    public Topology(String namespace) {
        this.namespace = namespace;
    }

    public String taskExchange() {
        return namespace + ".task";
    }

    public String retryExchange() {
        return namespace + ".retry";
    }

    public String deadExchange() {
        return namespace + ".dead";
    }

    public String taskQueue(String queue) {
        return namespace + ".task." + queue;
    }

    public String deadQueue(String queue) {
        return namespace + ".dead." + queue;
    }

    /** The routing key of a delay queue: the queue to come back to, and the delay. */
    public String retryKey(String queue, Duration delay) {
        return queue + "." + text(delay);
    }

    public String retryQueue(String queue, Duration delay) {
        return namespace + ".retry." + retryKey(queue, delay);
    }

    /** Declares the task queue and its dead queue, with the exchanges between them. */
    public void declareTaskQueue(Connection connection, String queue) throws IOException {
        exchanges(connection);
        Map<String, Object> task = lossless(deadExchange(), queue);
        declare(connection, deadQueue(queue), new HashMap<>(), deadExchange(), queue);
        declare(connection, taskQueue(queue), task, taskExchange(), queue);
    }

    /** Declares the delay queue that holds a message for {@code delay} and gives it back to the task queue. */
    public void declareRetryQueue(Connection connection, String queue, Duration delay) throws IOException {
        exchanges(connection);
        Map<String, Object> arguments = lossless(taskExchange(), queue);
        arguments.put("x-message-ttl", delay.toMillis());
        declare(connection, retryQueue(queue, delay), arguments, retryExchange(), retryKey(queue, delay));
    }

    private void exchanges(Connection connection) throws IOException {
        try (ChannelScope scope = ChannelScope.open(connection)) {
            for (String exchange : new String[] {taskExchange(), retryExchange(), deadExchange()}) {
                scope.channel().exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
            }
        }
    }

    // at-least-once dead-lettering needs reject-publish, and with it a full target holds messages back instead of
    // losing them
    private static Map<String, Object> lossless(String deadLetterExchange, String deadLetterKey) {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("x-dead-letter-exchange", deadLetterExchange);
        arguments.put("x-dead-letter-routing-key", deadLetterKey);
        arguments.put("x-dead-letter-strategy", "at-least-once");
        arguments.put("x-overflow", "reject-publish");
        return arguments;
    }

    private static void declare(
            Connection connection, String name, Map<String, Object> arguments, String exchange, String key)
            throws IOException {
        arguments.put("x-queue-type", "quorum");
        // from version 4 on the limit is 20 unless this lifts it; 3.10 takes it too, and gives up at the first requeue
        if (Brokers.majorVersion(connection) >= 4) {
            arguments.put("x-delivery-limit", -1L);
        }
        if (!exists(connection, name)) {
            try (ChannelScope scope = ChannelScope.open(connection)) {
                scope.channel().queueDeclare(name, true, false, false, arguments);
            }
        }
        try (ChannelScope scope = ChannelScope.open(connection)) {
            scope.channel().queueBind(name, exchange, key);
        }
    }

    // a queue from before an upgrade of the broker has other arguments, and declaring it again would be refused; a
    // policy
    // lifts its limit (docs/operations.md)
    private static boolean exists(Connection connection, String name) throws IOException {
        try (ChannelScope scope = ChannelScope.open(connection)) {
            scope.channel().queueDeclarePassive(name);
            return true;
        } catch (IOException refused) {
            if (Brokers.replyCode(refused) == 404) {
                return false;
            }
            throw refused;
        }
    }

    private static String text(Duration delay) {
        return io.onbeat.schedule.Durations.format(delay);
    }

    /** A channel for one declaration: a refused one is closed by the broker, and takes nothing else with it. */
    private record ChannelScope(Channel channel) implements AutoCloseable {
        static ChannelScope open(Connection connection) throws IOException {
            return new ChannelScope(connection.createChannel());
        }

        @Override
        public void close() throws IOException {
            channel.abort();
        }
    }

    /** Remembers what a connection has declared already. */
    public static final class Declared {
        private final Map<String, Connection> by = new ConcurrentHashMap<>();

        /** Runs {@code declaration} unless it succeeded on this connection before. */
        public void once(String name, Connection connection, Declaration declaration) throws IOException {
            if (by.get(name) != connection) {
                declaration.run(connection);
                by.put(name, connection);
            }
        }

        public void forget(String name) {
            by.remove(name);
        }
    }

    @FunctionalInterface
    public interface Declaration {
        void run(Connection connection) throws IOException;
    }
}
