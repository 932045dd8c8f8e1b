package io.onbeat.worker.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.broker.Publisher;
import io.onbeat.message.Headers;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.message.NewerMessage;
import io.onbeat.worker.consume.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves on what this worker cannot read, as it came: to the dead queue with the reason beside it, or to a delay queue and so
 * to another worker where a newer one may read it. Acknowledges a message when it has arrived there.
 */
public final class UnreadableMessages {
    /** How long a message of a newer version is put off each time. */
    public static final Duration PUT_OFF = Duration.ofSeconds(10);
    /** How often: ten minutes of a rolling update. */
    public static final int MOST_RETURNS = 60;

    private static final Logger log = LoggerFactory.getLogger(UnreadableMessages.class);
    private static final int LONGEST_REASON = 1_000;
    // headers that would route copies elsewhere
    private static final Set<String> ROUTING = Set.of("CC", "BCC");

    private final PublishLoop publishing;
    private final Queue<Move> again = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean saidPutOff = new AtomicBoolean();

    private enum Way {
        DEAD_QUEUE,
        DELAY_QUEUE
    }

    /** @param own the headers that are added */
    private record Move(Delivery delivery, Way way, Map<String, Object> own, int tries) {
        Move again() {
            return new Move(delivery, way, own, tries + 1);
        }

        // Headers with which the dead queue refused it are left out there. A message that is to be run keeps them: they
        // say
        // whose it is.
        boolean keepsHeaders() {
            return tries == 0 || way == Way.DELAY_QUEUE;
        }
    }

    public UnreadableMessages(PublishLoop publishing) {
        this.publishing = publishing;
    }

    public void bury(Delivery delivery, String reason) {
        log.warn(
                "moving the message '{}' of queue {} to the dead queue: {}",
                delivery.properties().getMessageId(),
                delivery.queue(),
                reason);
        publish(new Move(delivery, Way.DEAD_QUEUE, Map.of(Headers.REASON, shortened(reason)), 0));
    }

    /**
     * Leaves a message to a newer worker, which a rolling update brings. No failure is counted: its run was not started.
     *
     * @return false when it was put off for too long, and goes to the dead queue now; the ledger still has its run
     */
    public boolean putOff(Delivery delivery, NewerMessage newer) {
        if (newer.returns() >= MOST_RETURNS) {
            bury(delivery, newer.getMessage() + "; no newer worker took it in " + newer.returns() + " tries");
            return false;
        }
        // an update brings thousands of them: one line says it, the metric counts them
        if (!saidPutOff.getAndSet(true)) {
            log.warn(
                    "leaving the message '{}' of queue {}, and all like it, to a newer worker: {}",
                    delivery.properties().getMessageId(),
                    delivery.queue(),
                    newer.getMessage());
        }
        publish(new Move(delivery, Way.DELAY_QUEUE, Map.of(Headers.RETURNS, newer.returns() + 1), 0));
        return true;
    }

    /** To be called now and then. */
    public void retry() {
        for (int left = again.size(); left > 0; left--) {
            Move next = again.poll();
            if (next != null) {
                publish(next);
            }
        }
    }

    private void publish(Move move) {
        Delivery delivery = move.delivery;
        Encoded message = new Encoded(properties(move), delivery.body());
        publishing.submit((publisher, answer) -> send(publisher, move, message, answer), new Publisher.Answer() {
            @Override
            public void confirmed() {
                delivery.ack();
            }

            @Override
            public void failed(String why) {
                log.warn("the broker did not take an unreadable message of {}: {}", delivery.queue(), why);
                again.add(move.again());
            }
        });
    }

    private static void send(Publisher publisher, Move move, Encoded message, Publisher.Answer answer)
            throws IOException {
        String queue = move.delivery.queue();
        switch (move.way) {
            case DEAD_QUEUE -> publisher.publishDead(queue, message, answer);
            case DELAY_QUEUE -> publisher.publishRetry(queue, PUT_OFF, message, answer);
        }
    }

    // Only what can be published again as it is: a user id or reply address of somebody else would be refused.
    private static BasicProperties properties(Move move) {
        BasicProperties from = move.delivery.properties();
        Map<String, Object> headers = new HashMap<>();
        if (from.getHeaders() != null && move.keepsHeaders()) {
            from.getHeaders().forEach((name, value) -> {
                if (!name.startsWith("x-") && !ROUTING.contains(name)) {
                    headers.put(name, value);
                }
            });
        }
        headers.putAll(move.own);
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

    private static String shortened(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + " …";
    }
}
