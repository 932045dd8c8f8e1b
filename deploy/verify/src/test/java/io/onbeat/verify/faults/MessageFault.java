package io.onbeat.verify.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.onbeat.verify.system.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** For a while the messages of a task queue go astray; then they arrive, and not as they were. */
final class MessageFault implements Fault {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String EXCHANGE = Cluster.NAMESPACE + ".task";

    private static final Duration TO_BE_THERE = Duration.ofSeconds(20);

    enum Change {
        DUPLICATE,
        REORDER,
        TRUNCATE,
        OLDER
    }

    private final Rig rig;
    private final Change change;
    private boolean diverted;

    MessageFault(Rig rig, Change change) {
        this.rig = rig;
        this.change = change;
    }

    @Override
    public void strike() throws Exception {
        // after a wipe nothing is there until somebody publishes
        Awaitility.await().atMost(TO_BE_THERE).until(this::queuesAreThere);
        try (Connection connection = rig.amqp();
                Channel channel = connection.createChannel()) {
            diverted = true;
            for (String queue : rig.taskQueues()) {
                channel.queueDeclare(astray(queue), true, false, false, Map.of());
                channel.queueBind(astray(queue), EXCHANGE, queue);
                channel.queueUnbind(EXCHANGE + "." + queue, EXCHANGE, queue);
            }
        }
    }

    @Override
    public void heal() throws Exception {
        if (diverted) {
            deliver();
        }
    }

    private void deliver() throws Exception {
        try (Connection connection = rig.amqp();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            for (String queue : rig.taskQueues()) {
                channel.queueBind(EXCHANGE + "." + queue, EXCHANGE, queue);
                channel.queueUnbind(astray(queue), EXCHANGE, queue);
                publish(channel, queue, all(channel, astray(queue)));
                channel.waitForConfirmsOrDie(30_000);
                channel.queueDelete(astray(queue));
            }
        }
    }

    private boolean queuesAreThere() throws Exception {
        try (Connection connection = rig.amqp();
                Channel channel = connection.createChannel()) {
            for (String queue : rig.taskQueues()) {
                channel.queueDeclarePassive(EXCHANGE + "." + queue);
            }
            return true;
        } catch (IOException notFound) {
            return false;
        }
    }

    private static String astray(String queue) {
        return "astray." + queue;
    }

    private static List<GetResponse> all(Channel channel, String queue) throws IOException {
        List<GetResponse> messages = new ArrayList<>();
        for (GetResponse next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
            messages.add(next);
        }
        return messages;
    }

    private void publish(Channel channel, String queue, List<GetResponse> messages) throws IOException {
        if (change == Change.REORDER) {
            Collections.reverse(messages);
        }
        for (GetResponse message : messages) {
            byte[] body = message.getBody();
            switch (change) {
                case REORDER -> channel.basicPublish(EXCHANGE, queue, message.getProps(), body);
                case DUPLICATE -> {
                    channel.basicPublish(EXCHANGE, queue, message.getProps(), body);
                    channel.basicPublish(EXCHANGE, queue, message.getProps(), body);
                }
                case TRUNCATE ->
                    channel.basicPublish(
                            EXCHANGE, queue, message.getProps(), java.util.Arrays.copyOf(body, body.length / 2));
                case OLDER -> channel.basicPublish(EXCHANGE, queue, older(message.getProps()), older(body));
            }
        }
    }

    /** What came before the first version had neither the run's number in its body nor the fire time among its headers. */
    private static byte[] older(byte[] body) throws IOException {
        ObjectNode json = (ObjectNode) JSON.readTree(body);
        json.remove(List.of("version", "id"));
        return JSON.writeValueAsBytes(json);
    }

    private static BasicProperties older(BasicProperties properties) {
        Map<String, Object> headers =
                new HashMap<>(properties.getHeaders() == null ? Map.of() : properties.getHeaders());
        headers.remove("fire_at");
        headers.remove("schedule");
        return properties.builder().headers(headers).build();
    }
}
