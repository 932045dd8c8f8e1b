package io.onbeat.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.onbeat.local.TestServices;
import io.onbeat.local.Vhost;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopologyTest {
    // RabbitMQ 4 gives up a message after 20 unless it is told otherwise
    private static final int MANY = 25;

    private final Vhost vhost = TestServices.freshVhost();
    private final Topology topology = new Topology("onbeat");
    private Connection connection;

    @BeforeEach
    void connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUrl());
        connection = factory.newConnection("test");
    }

    @AfterEach
    void close() {
        connection.abort();
        TestServices.deleteVhost(vhost);
    }

    @Test
    void aMessageThatWasGivenBackManyTimesIsStillThere() throws Exception {
        topology.declareTaskQueue(connection, "default");
        String queue = topology.taskQueue("default");
        publish(topology.taskExchange(), "default");

        try (Channel channel = connection.createChannel()) {
            for (int i = 0; i < MANY; i++) {
                channel.basicNack(take(channel, queue).getEnvelope().getDeliveryTag(), false, true);
            }
        }
        for (int i = 0; i < MANY; i++) {
            Channel channel = connection.createChannel();
            take(channel, queue);
            channel.close();
        }

        try (Channel channel = connection.createChannel()) {
            assertThat(take(channel, queue).getBody()).asString().isEqualTo("here");
            assertThat(channel.basicGet(topology.deadQueue("default"), true)).isNull();
        }
    }

    @Test
    void declaringAgainChangesNothingAndAQueueFromBeforeAnUpgradeOfTheBrokerIsTakenAsItIs() throws Exception {
        try (Channel channel = connection.createChannel()) {
            Map<String, Object> otherArguments = Map.of("x-queue-type", "quorum");
            channel.queueDeclare(topology.deadQueue("default"), true, false, false, otherArguments);
        }

        for (int i = 0; i < 2; i++) {
            topology.declareTaskQueue(connection, "default");
            topology.declareRetryQueue(connection, "default", Duration.ofSeconds(1));
        }

        publish(topology.deadExchange(), "default");
        publish(topology.retryExchange(), topology.retryKey("default", Duration.ofSeconds(1)));
        try (Channel channel = connection.createChannel()) {
            assertThat(take(channel, topology.deadQueue("default")).getBody()).isNotEmpty();
            assertThat(take(channel, topology.taskQueue("default")).getBody()).isNotEmpty();
        }
    }

    private void publish(String exchange, String key) throws Exception {
        try (Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.basicPublish(
                    exchange, key, MessageProperties.PERSISTENT_BASIC, "here".getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(20_000);
        }
    }

    private static GetResponse take(Channel channel, String queue) {
        return await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> channel.basicGet(queue, false), got -> got != null);
    }
}
