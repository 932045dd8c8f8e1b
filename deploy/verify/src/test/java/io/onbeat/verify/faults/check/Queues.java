package io.onbeat.verify.faults.check;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.onbeat.broker.Topology;
import io.onbeat.message.Headers;
import io.onbeat.schedule.Backoff;
import io.onbeat.schedule.RetryPolicy;
import io.onbeat.verify.system.Books;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the broker holds.
 *
 * @param depths messages that are ready, by task queue and delay queue
 * @param dead the messages of dead runs; those that were never readable are not among them
 */
public record Queues(Map<String, Long> depths, List<DeadMessage> dead) {

    /** @param attempt the one at which the run died */
    public record DeadMessage(String queue, String runKey, int attempt) {}

    /** Reads every queue that the ledger's runs may have used, and leaves all messages where they are. */
    public static Queues read(String amqpUrl, Books books) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(amqpUrl);
        Topology topology = new Topology(books.ledger().namespace());
        Map<String, Long> depths = new TreeMap<>();
        List<DeadMessage> dead = new ArrayList<>();
        try (Connection connection = factory.newConnection("checker")) {
            for (String queue : books.texts("select distinct queue from run order by queue")) {
                depths.put(topology.taskQueue(queue), ready(connection, topology.taskQueue(queue)));
                for (Duration delay : delays(books, queue)) {
                    String name = topology.retryQueue(queue, delay);
                    depths.put(name, ready(connection, name));
                }
                dead.addAll(peek(connection, topology.deadQueue(queue)));
            }
        }
        return new Queues(depths, dead);
    }

    private static Set<Duration> delays(Books books, String queue) {
        Set<Duration> delays = new TreeSet<>();
        for (String retry : books.texts("select distinct retry::text from run where queue = ?", queue)) {
            if (RetryPolicy.fromJson(retry).backoff() instanceof Backoff.Ladder ladder) {
                delays.addAll(ladder.delays());
            }
        }
        delays.remove(Duration.ZERO);
        return delays;
    }

    private static long ready(Connection connection, String queue) throws IOException {
        Channel channel = connection.createChannel();
        try {
            return channel.messageCount(queue);
        } catch (IOException absent) {
            return 0;
        } finally {
            channel.abort();
        }
    }

    // what is not acknowledged returns to the queue when the channel closes
    private static List<DeadMessage> peek(Connection connection, String queue) throws IOException {
        List<DeadMessage> messages = new ArrayList<>();
        if (ready(connection, queue) == 0) {
            return messages;
        }
        Channel channel = connection.createChannel();
        try {
            GetResponse got = channel.basicGet(queue, false);
            while (got != null) {
                Map<String, Object> headers = got.getProps().getHeaders();
                if (headers != null && headers.get(Headers.DEAD) instanceof Number attempt) {
                    messages.add(new DeadMessage(queue, got.getProps().getMessageId(), attempt.intValue()));
                }
                got = channel.basicGet(queue, false);
            }
            return messages;
        } finally {
            channel.abort();
        }
    }
}
