package io.onbeat.verify.system;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.onbeat.broker.Brokers;
import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A client of the test's own on the broker: sees what is ready in a queue, and takes it. */
final class Amqp implements AutoCloseable {
    private final Connection connection;
    private final Channel channel;

    Amqp(Servers servers) throws IOException {
        connection = Brokers.connect(
                ServerSettings.read(Settings.of(
                                Map.of(ServerSettings.AMQP_URL, servers.vhost().amqpUrl())))
                        .broker(),
                "test");
        channel = connection.createChannel();
    }

    Channel channel() {
        return channel;
    }

    /** Messages that no consumer has. */
    long ready(String queue) throws IOException {
        return channel.messageCount(queue);
    }

    /** Takes one message out for good. */
    Optional<GetResponse> take(String queue) throws IOException {
        return Optional.ofNullable(channel.basicGet(queue, true));
    }

    @Override
    public void close() {
        connection.abort(1_000);
    }
}
