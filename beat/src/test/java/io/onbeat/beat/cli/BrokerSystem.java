package io.onbeat.beat.cli;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.onbeat.broker.Topology;
import io.onbeat.local.TestServices;
import io.onbeat.local.Vhost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A virtual host of the real broker with the queues of {@code default}, and a connection to look into it. */
final class BrokerSystem implements AutoCloseable {
    static final String DEAD = "onbeat.dead.default";

    private final Vhost vhost = TestServices.freshVhost();
    private final Connection connection;
    private final Channel channel;

    BrokerSystem() {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(vhost.amqpUrl());
            connection = factory.newConnection("test");
            Topology topology = new Topology("onbeat");
            topology.declareTaskQueue(connection, "default");
            topology.declareRetryQueue(connection, "default", Duration.ofSeconds(10));
            channel = connection.createChannel();
            channel.confirmSelect();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    String url() {
        return vhost.amqpUrl();
    }

    /** Puts a message into a queue. */
    void put(String queue, String key, Map<String, Object> headers) {
        try {
            AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                    .messageId(key)
                    .deliveryMode(2)
                    .headers(headers)
                    .build();
            channel.basicPublish("", queue, true, properties, key.getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(10_000);
        } catch (java.io.IOException | InterruptedException | TimeoutException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Puts the message of a run that died at this attempt into the dead queue. */
    void putDead(String key, int attempt) {
        put(DEAD, key, Map.of("origin", "schedule", "attempt", attempt, "dead", attempt));
    }

    /** The keys of the messages in the queue, in order; takes them out. */
    List<String> drain(String queue) {
        try {
            List<String> keys = new ArrayList<>();
            for (GetResponse got = channel.basicGet(queue, true); got != null; got = channel.basicGet(queue, true)) {
                keys.add(got.getProps().getMessageId());
            }
            return keys;
        } catch (java.io.IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        connection.abort(1_000);
        TestServices.deleteVhost(vhost);
    }
}
