package io.onbeat.beat.fire;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.local.TestServices;
import io.onbeat.local.Vhost;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A fresh virtual host of the real broker. */
public final class TestBroker implements AutoCloseable {
    private final Vhost vhost = TestServices.freshVhost();
    private final BrokerSettings settings = ServerSettings.read(
                    Settings.of(Map.of(ServerSettings.AMQP_URL, vhost.amqpUrl())))
            .broker();
    private final Connection connection;
    private final Channel channel;

    public TestBroker() throws IOException {
        connection = Brokers.connect(settings, "test");
        channel = connection.createChannel();
    }

    public BrokerSettings settings() {
        return settings;
    }

    public Vhost vhost() {
        return vhost;
    }

    public Channel channel() {
        return channel;
    }

    /** Takes a message from a queue that exists, if there is one. */
    public Optional<GetResponse> take(String queue) throws IOException {
        return Optional.ofNullable(channel.basicGet(queue, true));
    }

    @Override
    public void close() {
        connection.abort(1_000);
        TestServices.deleteVhost(vhost);
    }
}
