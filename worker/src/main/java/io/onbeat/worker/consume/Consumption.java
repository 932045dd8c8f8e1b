package io.onbeat.worker.consume;

import com.rabbitmq.client.Connection;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.Topology;
import io.onbeat.config.ServerTrouble;
import io.onbeat.worker.retry.GrowingDelay;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes the worker's queues over one connection, with a channel each. Whatever ends (the connection, a channel, a queue)
 * is opened anew, with a growing delay, for as long as this runs.
 */
public final class Consumption implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Consumption.class);
    private static final int CLOSE_LIMIT_MILLIS = 3_000;

    private final BrokerSettings settings;
    private final String name;
    private final Topology topology;
    private final List<Subscription> subscriptions;
    private final Consumer<Delivery> sink;
    private final Semaphore changes = new Semaphore(0);
    private final GrowingDelay reconnectDelay = GrowingDelay.forServers();
    private final Thread thread = new Thread(this::run, "consume");
    private Optional<Connection> connection = Optional.empty();
    private String problem = "";
    private volatile boolean stopping;

    /**
     * @param prefetch by queue
     * @param sink gets every message, on the connection's threads
     */
    public Consumption(BrokerSettings settings, String name, Map<String, Integer> prefetch, Consumer<Delivery> sink) {
        this.settings = settings;
        this.name = name;
        this.topology = new Topology(settings.namespace());
        this.sink = sink;
        this.subscriptions = prefetch.entrySet().stream()
                .map(entry -> new Subscription(entry.getKey(), entry.getValue()))
                .toList();
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Why queues are not being consumed; empty when all are. */
    public List<String> problems() {
        return subscriptions.stream()
                .map(Subscription::problem)
                .filter(problem -> !problem.isEmpty())
                .distinct()
                .toList();
    }

    /** Takes no more messages; those that are here may still be answered until {@link #close}. */
    public void stop() throws InterruptedException {
        stopping = true;
        changes.release();
        thread.join();
    }

    @Override
    public void close() {
        connection.ifPresent(open -> {
            try {
                open.close(CLOSE_LIMIT_MILLIS);
            } catch (IOException | RuntimeException gone) {
                open.abort();
            }
        });
    }

    private void run() {
        while (!stopping) {
            Duration pause = connect() ? subscribe() : reconnectDelay.next();
            try {
                if (changes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                    changes.drainPermits();
                }
            } catch (InterruptedException unexpected) {
                break;
            }
        }
        subscriptions.forEach(Subscription::cancel);
    }

    private boolean connect() {
        if (connection.filter(Connection::isOpen).isPresent()) {
            return true;
        }
        connection.ifPresent(lost -> log.warn("lost the connection to the broker at {}: {}", settings, end(lost)));
        connection = Optional.empty();
        try {
            Connection opened = Brokers.connect(settings, name);
            opened.addShutdownListener(cause -> changes.release());
            connection = Optional.of(opened);
            reconnectDelay.reset();
            problem = "";
            subscriptions.forEach(each -> each.connectionLost("connecting"));
            return true;
        } catch (IOException | RuntimeException | Error unreachable) {
            String now = "cannot connect: " + ServerTrouble.ofBroker(unreachable, settings);
            if (!now.equals(problem)) {
                log.warn("{}; trying again until it is mended", now);
            }
            problem = now;
            subscriptions.forEach(each -> each.connectionLost(problem));
            return false;
        }
    }

    private static String end(Connection lost) {
        return lost.getCloseReason() == null ? "closed" : Reasons.of(lost.getCloseReason());
    }

    private Duration subscribe() {
        Duration pause = Duration.ofDays(1);
        for (Subscription each : subscriptions) {
            each.open(connection.orElseThrow(), topology, sink, changes::release);
            pause = each.untilNextTry().compareTo(pause) < 0 ? each.untilNextTry() : pause;
        }
        return pause;
    }
}
