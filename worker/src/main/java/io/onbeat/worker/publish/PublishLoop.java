package io.onbeat.worker.publish;

import io.onbeat.broker.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The worker's one publishing thread: a broker that is short of resources blocks publishers, and must not block claims and
 * settles with them. Every message gets exactly one answer.
 */
public final class PublishLoop implements AutoCloseable {
    /** How long a message may wait to be published, or to be confirmed. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Publisher publisher;
    private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "publish");
    private volatile boolean stopping;

    private record Waiting(Words words, Publisher.Answer answer, long sinceNanos) {}

    /** Publishes one message. */
    @FunctionalInterface
    public interface Words {
        void publish(Publisher publisher, Publisher.Answer answer) throws IOException;
    }

    public PublishLoop(Publisher publisher) {
        this.publisher = publisher;
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    public void submit(Words words, Publisher.Answer answer) {
        unanswered.incrementAndGet();
        waiting.add(new Waiting(words, counted(answer), System.nanoTime()));
    }

    /** To be called now and then: fails what waits too long behind a broker that takes nothing. */
    public void failOverdue() {
        publisher.breakWhenStuck(LIMIT);
        for (Waiting each = waiting.peek(); each != null && overdue(each); each = waiting.peek()) {
            if (waiting.remove(each)) {
                each.answer.failed("the broker took no message for " + LIMIT.toSeconds() + " s");
            }
        }
    }

    /** Waits until everything has its answer, for at most {@code limit}. */
    public void finish(Duration limit) throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        while (unanswered.get() > 0 && System.nanoTime() - until < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Override
    public void close() {
        stopping = true;
        thread.interrupt();
        publisher.close();
    }

    private void run() {
        while (!stopping) {
            try {
                Waiting next = waiting.take();
                send(next);
            } catch (InterruptedException closing) {
                break;
            }
        }
    }

    private void send(Waiting message) {
        try {
            message.words.publish(publisher, message.answer);
        } catch (IOException | RuntimeException | Error failed) {
            message.answer.failed(String.valueOf(failed.getMessage()));
        }
    }

    private Publisher.Answer counted(Publisher.Answer answer) {
        return new Publisher.Answer() {
            @Override
            public void confirmed() {
                answer.confirmed();
                unanswered.decrementAndGet();
            }

            @Override
            public void failed(String reason) {
                answer.failed(reason);
                unanswered.decrementAndGet();
            }
        };
    }

    private static boolean overdue(Waiting message) {
        return System.nanoTime() - message.sinceNanos > LIMIT.toNanos();
    }
}
