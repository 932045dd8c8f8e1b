package io.onbeat.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Optional;

/** How much a queue holds, over AMQP: the management plugin need not be there. */
public record QueueDepth(long ready, int consumers) {

    /** @return empty where the broker has no such queue */
    public static Optional<QueueDepth> of(Connection connection, String queue) throws IOException {
        // the broker closes the channel of a question about a queue that is not there
        Channel channel = connection.createChannel();
        try {
            AMQP.Queue.DeclareOk found = channel.queueDeclarePassive(queue);
            return Optional.of(new QueueDepth(found.getMessageCount(), found.getConsumerCount()));
        } catch (IOException refused) {
            if (Brokers.replyCode(refused) == AMQP.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        } finally {
            channel.abort();
        }
    }
}
