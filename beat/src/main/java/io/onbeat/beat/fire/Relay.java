package io.onbeat.beat.fire;

import com.rabbitmq.client.ShutdownSignalException;
import io.onbeat.beat.Joining;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Publisher;
import io.onbeat.config.ServerTrouble;
import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Outbox.Entry;
import io.onbeat.message.DeadMessage;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.TaskMessage;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Empties the outbox into the broker. The fire loop hands over what it has just written; everything else (what a worker or
 * the command line wrote, what an earlier leader left behind, what could not be published) is found by looking.
 *
 * <p>Invariants: an entry leaves the outbox when the broker has confirmed all its messages, and not before; what was
 * returned or refused stays, to be tried again, and holds up no other entry. The relay never changes a run.
 */
final class Relay implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Relay.class);
    /** For so long after its transaction an entry is left to the beat that wrote it. */
    static final Duration HANDED_OVER_WITHIN = Duration.ofSeconds(3);

    /** Stands among the entries that were handed over, to wake who waits for one. */
    private static final Entry WAKE = new Entry(-1, Outbox.Kind.TASK, List.of(), 0, List.of(), List.of());

    private static final int MOST_UNCONFIRMED = 8_000;
    private static final int MOST_ENTRIES_AT_ONCE = 16;
    private static final int MOST_RUNS_AT_ONCE = 2_000;
    private static final int MOST_REFUSALS_TO_TELL = 100;
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration CONFIRM_WITHIN = Duration.ofSeconds(30);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(5);

    private final Ledger ledger;
    private final BrokerSettings broker;
    private final Publisher publisher;
    private final BlockingQueue<Entry> handedOver = new ArrayBlockingQueue<>(32);
    private final BlockingQueue<Sending> answered = new LinkedBlockingQueue<>();
    private final Map<Long, Sending> sending = new HashMap<>();
    private final Thread thread;
    private final OutboxBell bell;
    private final Map<Long, String> refused = new ConcurrentHashMap<>();
    private volatile String complaint = "";
    private volatile boolean behind;
    private volatile long behindSinceNanos;
    private long lookAt = System.nanoTime();
    private volatile boolean rung;
    private volatile boolean active;
    private final CountDownLatch stopping = new CountDownLatch(1);

    Relay(Ledger ledger, BrokerSettings broker, String beat) {
        this.ledger = ledger;
        this.broker = broker;
        this.publisher = new Publisher(broker, beat + " relay");
        this.thread = new Thread(this::loop, "relay");
        this.bell = new OutboxBell(ledger.settings(), this::wake);
    }

    void start() {
        thread.start();
        bell.start();
    }

    private void wake() {
        rung = true;
        if (handedOver.isEmpty()) {
            handedOver.offer(WAKE);
        }
    }

    /** Only the leader's relay looks for entries. */
    void lead(boolean leading) {
        active = leading;
        if (!leading) {
            complaint = "";
            refused.clear();
        }
    }

    /** Why messages wait in the outbox; empty where they do not. */
    Optional<String> trouble() {
        return Optional.of(complaint)
                .filter(text -> !text.isEmpty())
                .or(() -> publisher.blocked().map(why -> "the broker takes no messages: " + why))
                .or(() -> refused.values().stream().findFirst().map(why -> "messages wait in the outbox: " + why));
    }

    /**
     * Takes an entry straight after its transaction. When too much waits already it is found in the outbox later, and so are
     * all that follow until the outbox has been caught up with: newer messages would overtake older ones, which would then
     * be taken for lost.
     */
    void handOver(Entry entry) {
        if (!behind && !handedOver.offer(entry)) {
            fallBehind();
        }
    }

    private void fallBehind() {
        behindSinceNanos = System.nanoTime();
        behind = true;
    }

    // what was not taken shows itself in the outbox when its writer's own time is over
    private void catchUp() {
        if (System.nanoTime() - behindSinceNanos > HANDED_OVER_WITHIN.toNanos()) {
            behind = false;
        }
    }

    @Override
    public void close() {
        bell.close();
        stopping.countDown();
        Joining.join(thread, Duration.ofSeconds(5));
        publisher.close();
        Joining.join(thread, Duration.ofSeconds(1));
    }

    private void loop() {
        while (!stopping() || !handedOver.isEmpty() || !sending.isEmpty()) {
            try {
                pass();
                if (stopping() && !sending.isEmpty() && handedOver.isEmpty()) {
                    publisher.breakWhenStuck(Duration.ofSeconds(3));
                }
            } catch (IOException unreachable) {
                complain("cannot publish, the outbox waits: " + ServerTrouble.ofBroker(unreachable, broker));
                handedOver.clear();
                fallBehind();
                pause();
            } catch (SQLException unreachable) {
                complain(ServerTrouble.ofLedger(unreachable, ledger.settings())
                        .map(reason -> "the outbox waits: " + reason)
                        .orElse("the outbox waits: " + unreachable.getMessage()));
                pause();
            } catch (RuntimeException | Error unexpected) {
                log.error("the relay failed and goes on", unexpected);
                pause();
            }
            if (stopping() && Thread.interrupted()) {
                return;
            }
        }
    }

    // once, not with every try
    private void complain(String trouble) {
        if (!trouble.equals(complaint)) {
            log.warn(trouble);
        }
        complaint = trouble;
    }

    private void pass() throws IOException, SQLException {
        finish();
        publisher.breakWhenStuck(CONFIRM_WITHIN);
        if (publisher.inFlight() > MOST_UNCONFIRMED) {
            awaitAnswers();
            return;
        }
        if (active && !stopping() && (rung || System.nanoTime() - lookAt >= 0)) {
            look();
        }
        Entry entry = sending.isEmpty() ? await() : handedOver.poll();
        if (entry == WAKE) {
            return;
        }
        if (entry != null) {
            publish(entry);
        } else if (!sending.isEmpty()) {
            awaitAnswers();
        }
    }

    private Entry await() {
        try {
            return handedOver.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void awaitAnswers() {
        try {
            Sending first = answered.poll(5, TimeUnit.MILLISECONDS);
            if (first != null) {
                answered.add(first);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    // what another process wrote, or an earlier leader left behind
    private void look() throws IOException, SQLException {
        rung = false;
        List<Entry> due;
        try (Connection connection = ledger.connection()) {
            due = Outbox.due(connection, underWay(), MOST_ENTRIES_AT_ONCE, MOST_RUNS_AT_ONCE);
        }
        boolean all = due.size() < MOST_ENTRIES_AT_ONCE
                && due.stream().mapToInt(entry -> entry.runIds().size()).sum() < MOST_RUNS_AT_ONCE;
        lookAt = System.nanoTime() + (all ? LOOK_EVERY.toNanos() : 0);
        if (due.isEmpty() && sending.isEmpty() && refused.isEmpty()) {
            complaint = "";
        }
        if (all) {
            catchUp();
        }
        for (Entry entry : due) {
            publish(entry);
        }
    }

    private Set<Long> underWay() {
        Set<Long> ids = new HashSet<>(sending.keySet());
        handedOver.forEach(entry -> ids.add(entry.id()));
        return ids;
    }

    private void publish(Entry entry) throws IOException {
        Sending current = new Sending(entry, answered::add);
        sending.put(entry.id(), current);
        try {
            for (TaskMessage message : entry.tasks()) {
                publisher.publishTask(
                        message.queue(),
                        MessageCodec.encode(message),
                        current.expect(message.attempt().runId()));
            }
            for (DeadMessage dead : entry.dead()) {
                TaskMessage message = dead.message();
                publisher.publishDead(
                        message.queue(),
                        MessageCodec.encode(dead),
                        current.expect(message.attempt().runId()));
            }
            CrashPoint.PUBLISHED.pass();
        } catch (IOException | ShutdownSignalException broken) {
            current.abandon(broken.getMessage());
            throw broken instanceof IOException io ? io : new IOException(broken.getMessage(), broken);
        } catch (RuntimeException | Error unexpected) {
            current.abandon(unexpected.toString());
            throw unexpected;
        } finally {
            current.allSent();
        }
    }

    private void finish() throws SQLException {
        List<Sending> done = new ArrayList<>();
        answered.drainTo(done);
        if (done.isEmpty()) {
            return;
        }
        try (Connection connection = ledger.connection()) {
            List<Long> confirmed = done.stream()
                    .filter(Sending::confirmed)
                    .map(sent -> sent.entry().id())
                    .toList();
            if (!confirmed.isEmpty()) {
                CrashPoint.CONFIRMED.pass();
                Outbox.remove(connection, confirmed);
                CrashPoint.OUTBOX_CLEARED.pass();
                complaint = "";
            }
            for (Sending sent : done) {
                refused.remove(sent.entry().id());
                if (!sent.confirmed()) {
                    if (refused.size() < MOST_REFUSALS_TO_TELL) {
                        refused.put(sent.entry().id(), sent.failure());
                    }
                    log.atLevel(sent.entry().tries() == 0 ? Level.WARN : Level.DEBUG)
                            .log(
                                    "{} of {} messages stay in the outbox: {}",
                                    sent.left().size(),
                                    sent.entry().runIds().size(),
                                    sent.failure());
                    Outbox.keep(
                            connection,
                            sent.entry().id(),
                            sent.left(),
                            delay(sent.entry().tries()),
                            sent.failure());
                }
            }
        } catch (SQLException unreachable) {
            answered.addAll(done);
            throw unreachable;
        }
        done.forEach(sent -> sending.remove(sent.entry().id()));
    }

    private static Duration delay(int tries) {
        Duration delay = Duration.ofMillis(200L << Math.min(tries, 10));
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }

    private boolean stopping() {
        return stopping.getCount() == 0;
    }

    private void pause() {
        try {
            stopping.await(500, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
