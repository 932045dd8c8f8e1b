package io.onbeat.task.builtin;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.config.ServerTrouble;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands a run over to Celery's workers by a message. It has succeeded when the broker has confirmed the message in a queue:
 * what becomes of it there is Celery's affair.
 */
public final class CeleryTask implements Task, AutoCloseable {
    static final String NAME = "celery";

    private static final Duration TO_CONFIRM = Duration.ofSeconds(30);
    private static final int ABORT_MILLIS = 1_000;

    private final BrokerSettings broker;
    private final String connectionName;
    private final Map<BrokerSettings, Connection> connections = new HashMap<>();
    private boolean closed;

    /** @param connectionName shown in the management console */
    public CeleryTask(BrokerSettings broker, String connectionName) {
        this.broker = broker;
        this.connectionName = connectionName;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void checkArgs(TaskContext context) {
        CeleryMessage.of(context, broker.namespace(), Instant.now());
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        CeleryMessage message = CeleryMessage.of(context, broker.namespace(), Instant.now());
        BrokerSettings where =
                message.virtualHost().map(broker::withVirtualHost).orElse(broker);
        try {
            handOver(message, where);
        } catch (IOException | ShutdownSignalException failed) {
            throw new HandoverFailed(ServerTrouble.ofBroker(failed, where), failed);
        }
        return Map.of("id", message.id());
    }

    private void handOver(CeleryMessage message, BrokerSettings where)
            throws IOException, InterruptedException, HandoverFailed {
        Channel channel = connection(where).createChannel();
        if (channel == null) {
            throw new HandoverFailed("the broker allows no more channels");
        }
        AtomicReference<Optional<String>> returned = new AtomicReference<>(Optional.empty());
        try {
            channel.addReturnListener(back -> returned.set(Optional.of(back.getReplyText())));
            channel.confirmSelect();
            channel.basicPublish(message.exchange(), message.routingKey(), true, message.properties(), message.body());
            if (!channel.waitForConfirms(TO_CONFIRM.toMillis())) {
                throw new HandoverFailed("the broker refused the message: its queue is full, or it lacks resources");
            }
        } catch (TimeoutException silent) {
            throw new HandoverFailed(
                    "the broker has not confirmed the message within " + TO_CONFIRM.toSeconds() + " s", silent);
        } finally {
            channel.abort();
        }
        if (returned.get().isPresent()) {
            throw new HandoverFailed("no queue takes it: " + returned.get().get() + ", " + address(message)
                    + "; a Celery worker makes its queue when it first starts");
        }
    }

    private static String address(CeleryMessage message) {
        return message.exchange().isEmpty()
                ? "queue " + message.routingKey()
                : "exchange " + message.exchange() + ", routing key " + message.routingKey();
    }

    /** One for each virtual host, opened when it is first needed and again when it broke. */
    private synchronized Connection connection(BrokerSettings where) throws IOException {
        if (closed) {
            throw new IOException("the worker stops");
        }
        Connection open = connections.get(where);
        if (open == null || !open.isOpen()) {
            open = Brokers.connect(where, connectionName);
            connections.put(where, open);
        }
        return open;
    }

    @Override
    public synchronized void close() {
        closed = true;
        connections.values().forEach(open -> open.abort(ABORT_MILLIS));
    }
}
