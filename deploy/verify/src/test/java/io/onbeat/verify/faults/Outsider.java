package io.onbeat.verify.faults;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.onbeat.verify.faults.tasks.TransactionEffect;
import io.onbeat.verify.system.Cluster;
import java.nio.charset.StandardCharsets;

/** A program in another language that sends tasks of its own, each of them twice. */
final class Outsider extends Steady {
    private static final byte[] BODY = "{\"args\": {\"millis\": 20}}".getBytes(StandardCharsets.UTF_8);

    private final Rig rig;
    private int count;

    Outsider(Rig rig) {
        super("outsider");
        this.rig = rig;
    }

    @Override
    void step() throws Exception {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("outside-" + ++count)
                .type(TransactionEffect.NAME)
                .deliveryMode(2)
                .build();
        try (Connection connection = rig.amqp();
                Channel channel = connection.createChannel()) {
            channel.basicPublish(Cluster.NAMESPACE + ".task", Load.QUEUE, properties, BODY);
            channel.basicPublish(Cluster.NAMESPACE + ".task", Load.QUEUE, properties, BODY);
        }
    }
}
