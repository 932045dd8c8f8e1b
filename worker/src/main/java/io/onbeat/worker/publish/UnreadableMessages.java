package io.onbeat.worker.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.broker.Publisher;
import io.onbeat.message.Headers;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.worker.consume.Delivery;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves what can never be run to the dead queue, with the reason beside it; acknowledges it when it has arrived there. */
public final class UnreadableMessages {
    private static final Logger log = LoggerFactory.getLogger(UnreadableMessages.class);
    private static final int LONGEST_REASON = 1_000;
    // headers that would route copies elsewhere
    private static final Set<String> ROUTING = Set.of("CC", "BCC");

    private final PublishLoop publishing;
    private final Queue<Unreadable> again = new ConcurrentLinkedQueue<>();

    private record Unreadable(Delivery delivery, String reason, int tries) {}

    public UnreadableMessages(PublishLoop publishing) {
        this.publishing = publishing;
    }

    public void bury(Delivery delivery, String reason) {
        log.warn(
                "moving the message '{}' of queue {} to the dead queue: {}",
                delivery.properties().getMessageId(),
                delivery.queue(),
                reason);
        publish(new Unreadable(delivery, reason, 0));
    }

    /** To be called now and then. */
    public void retry() {
        for (int left = again.size(); left > 0; left--) {
            Unreadable next = again.poll();
            if (next != null) {
                publish(next);
            }
        }
    }

    private void publish(Unreadable message) {
        Delivery delivery = message.delivery;
        Encoded encoded = new Encoded(properties(message), delivery.body());
        publishing.submit(
                (publisher, answer) -> publisher.publishDead(delivery.queue(), encoded, answer),
                new Publisher.Answer() {
                    @Override
                    public void confirmed() {
                        delivery.ack();
                    }

                    @Override
                    public void failed(String why) {
                        log.warn("the dead queue of {} did not take an unreadable message: {}", delivery.queue(), why);
                        again.add(new Unreadable(delivery, message.reason, message.tries + 1));
                    }
                });
    }

    // Only what can be published again as it is: a user id or reply address of somebody else would be refused. Where it
    // was refused all the same, its headers are left out.
    private static BasicProperties properties(Unreadable message) {
        BasicProperties from = message.delivery.properties();
        Map<String, Object> headers = new HashMap<>();
        if (from.getHeaders() != null && message.tries == 0) {
            from.getHeaders().forEach((name, value) -> {
                if (!name.startsWith("x-") && !ROUTING.contains(name)) {
                    headers.put(name, value);
                }
            });
        }
        headers.put(
                Headers.REASON,
                message.reason.length() <= LONGEST_REASON
                        ? message.reason
                        : message.reason.substring(0, LONGEST_REASON) + " …");
        return new BasicProperties.Builder()
                .contentType(from.getContentType())
                .contentEncoding(from.getContentEncoding())
                .messageId(from.getMessageId())
                .correlationId(from.getCorrelationId())
                .type(from.getType())
                .appId(from.getAppId())
                .timestamp(from.getTimestamp())
                .deliveryMode(2)
                .headers(headers)
                .build();
    }
}
