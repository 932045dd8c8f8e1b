package io.onbeat.verify.bench;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.Topology;
import io.onbeat.message.MessageCodec.Encoded;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * RabbitMQ without Onbeat: one publisher that waits for confirms, one consumer that acknowledges, both at once, on a queue
 * with the same arguments as a task queue. What it reaches is what the broker gives on this machine.
 */
final class RawBroker implements AutoCloseable {
    private static final String QUEUE = "raw";
    private static final int MOST_UNCONFIRMED = 8_000;
    private static final int PREFETCH = 2_000;
    private static final int ACK_EVERY = 200;
    private static final int LIMIT_SECONDS = 300;

    private final Topology topology = new Topology(QUEUE);
    private final Connection publishing;
    private final Connection consuming;

    RawBroker(BrokerSettings settings) {
        try {
            publishing = Brokers.connect(settings, "raw publisher");
            consuming = Brokers.connect(settings, "raw consumer");
            topology.declareTaskQueue(consuming, QUEUE);
        } catch (IOException failed) {
            throw new BenchFailure("the reference cannot start: " + reason(failed), failed);
        }
    }

    /** @return messages per second, from the first publish until the last is confirmed and acknowledged */
    double round(Encoded message, int count) {
        try (Channel to = publishing.createChannel();
                Channel from = consuming.createChannel()) {
            CountDownLatch consumed = consume(from, count);
            long start = System.nanoTime();
            Confirms confirms = new Confirms(to);
            for (int i = 0; i < count; i++) {
                confirms.before();
                to.basicPublish(topology.taskExchange(), QUEUE, true, message.properties(), message.body());
            }
            confirms.awaitAll();
            if (!consumed.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailure("RabbitMQ did not deliver " + count + " messages in " + LIMIT_SECONDS + " s");
            }
            // answered only after the acks before it on this channel
            from.basicQos(PREFETCH);
            return count * 1e9 / (System.nanoTime() - start);
        } catch (IOException failed) {
            throw new BenchFailure("the reference failed: " + reason(failed), failed);
        } catch (InterruptedException stopped) {
            throw new BenchFailure("interrupted", stopped);
        } catch (java.util.concurrent.TimeoutException late) {
            throw new BenchFailure("the reference could not close its channels", late);
        }
    }

    /** The client's own exceptions often have no message, and RabbitMQ's answer in the cause. */
    private static String reason(IOException failed) {
        return failed.getCause() == null ? failed.toString() : failed.getCause().toString();
    }

    @Override
    public void close() {
        publishing.abort(1_000);
        consuming.abort(1_000);
    }

    private CountDownLatch consume(Channel channel, int count) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        channel.basicQos(PREFETCH);
        channel.basicConsume(topology.taskQueue(QUEUE), new DefaultConsumer(channel) {
            private int consumed;

            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                    throws IOException {
                consumed++;
                if (consumed % ACK_EVERY == 0 || consumed == count) {
                    channel.basicAck(envelope.getDeliveryTag(), true);
                }
                if (consumed == count) {
                    done.countDown();
                }
            }
        });
        return done;
    }

    /** Counts confirms, and holds the publisher back while too many are missing. */
    private static final class Confirms {
        private final Channel channel;
        private final NavigableSet<Long> missing = new ConcurrentSkipListSet<>();
        private final Semaphore room = new Semaphore(MOST_UNCONFIRMED);

        Confirms(Channel channel) throws IOException {
            this.channel = channel;
            channel.confirmSelect();
            channel.addConfirmListener(this::confirmed, (number, multiple) -> {
                throw new IOException("the broker refused message " + number);
            });
        }

        void before() throws InterruptedException {
            room.acquire();
            missing.add(channel.getNextPublishSeqNo());
        }

        void awaitAll() throws InterruptedException {
            if (!room.tryAcquire(MOST_UNCONFIRMED, LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new BenchFailure("RabbitMQ did not confirm in " + LIMIT_SECONDS + " s");
            }
        }

        private void confirmed(long number, boolean multiple) {
            if (!multiple) {
                missing.remove(number);
                room.release();
                return;
            }
            int count = 0;
            while (!missing.isEmpty() && missing.first() <= number) {
                missing.pollFirst();
                count++;
            }
            room.release(count);
        }
    }
}
