package io.onbeat.broker;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import io.onbeat.message.Headers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes single messages out of a dead queue and leaves the others as they were. Those that it has to hold meanwhile go back
 * when its channel closes, to the head of the queue and in their order; a nack would put them at the end of a quorum queue.
 */
public final class DeadQueue {
    /** How many messages one look holds at most, and for how long. */
    private static final int MOST = 20_000;

    private static final Duration LONGEST = Duration.ofSeconds(30);
    /** The broker delivers at once what is ready: after such a pause nothing more comes. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Connection connection;
    private final String queue;
    private final Map<String, Integer> wanted;
    private int looked;
    private int removed;

    private DeadQueue(Connection connection, String queue, Map<String, Integer> wanted) {
        this.connection = connection;
        this.queue = queue;
        this.wanted = wanted;
    }

    /** @param whole false when the queue holds more messages than were looked at, so that some may be left */
    public record Removal(int removed, boolean whole) {}

    /** What a look needs of a message; its body is dropped at once. */
    private record Seen(long tag, String key, int attempt) {}

    /**
     * Removes the messages of runs that are dead no more. Returns when all others are back in the queue.
     *
     * @param attempts by run key, the attempt at which the run died: later messages of the run stay
     */
    public static Removal remove(Connection connection, String queue, Map<String, Integer> attempts)
            throws IOException {
        long ready = ready(connection, queue);
        if (ready == 0) {
            return new Removal(0, true);
        }
        try {
            return new DeadQueue(connection, queue, new HashMap<>(attempts)).look(ready);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while looking through " + queue);
        } catch (TimeoutException late) {
            throw new IOException("the broker did not close a channel in time", late);
        }
    }

    private Removal look(long ready) throws IOException, InterruptedException, TimeoutException {
        int most = (int) Math.min(ready, MOST);
        Channel channel = connection.createChannel();
        try {
            channel.basicQos(most);
            BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
            DeliverCallback remember = (tag, delivery) -> seen.add(seen(delivery));
            CancelCallback ended = tag -> {};
            String consumer = channel.basicConsume(queue, false, remember, ended);
            removeFrom(seen, channel, most);
            channel.basicCancel(consumer);
            channel.close();
        } catch (IOException | RuntimeException | InterruptedException | TimeoutException failure) {
            channel.abort();
            throw failure;
        }
        awaitReturn(ready - removed);
        return new Removal(removed, wanted.isEmpty() || looked >= ready);
    }

    private void removeFrom(BlockingQueue<Seen> seen, Channel channel, int most)
            throws IOException, InterruptedException {
        long started = System.nanoTime();
        while (looked < most && !wanted.isEmpty()) {
            Seen message = seen.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (message == null || System.nanoTime() - started > LONGEST.toNanos()) {
                return;
            }
            looked++;
            Integer died = wanted.get(message.key());
            if (died != null && message.attempt() <= died) {
                channel.basicAck(message.tag(), false);
                removed++;
                // copies of earlier deaths lie before it
                wanted.remove(message.key(), message.attempt());
            }
        }
    }

    private void awaitReturn(long expected) throws IOException, InterruptedException {
        long started = System.nanoTime();
        while (ready(connection, queue) < expected && System.nanoTime() - started < SILENCE.toNanos()) {
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
    }

    private static long ready(Connection connection, String queue) throws IOException {
        return QueueDepth.of(connection, queue).map(QueueDepth::ready).orElse(0L);
    }

    private static Seen seen(Delivery delivery) {
        Map<String, Object> headers = delivery.getProperties().getHeaders();
        Object attempt = headers == null ? null : headers.getOrDefault(Headers.DEAD, headers.get(Headers.ATTEMPT));
        String key = delivery.getProperties().getMessageId();
        return new Seen(
                delivery.getEnvelope().getDeliveryTag(),
                key == null ? "" : key,
                attempt instanceof Number number ? number.intValue() : Integer.MAX_VALUE);
    }
}
