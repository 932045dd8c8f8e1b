package io.onbeat.beat.recovery;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.Topology;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Recovery;
import io.onbeat.ledger.Retention;
import io.onbeat.ledger.Workers;
import io.onbeat.run.RunState;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets going again what has come to a standstill; the leader makes a pass every second. Every step may be repeated, by
 * another beat too, without harm: what it publishes again is a duplicate at worst. For one thread.
 */
public final class RecoveryLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RecoveryLoop.class);
    private static final int MOST = 1_000;
    private static final Duration OVERTAKEN_AFTER = Duration.ofSeconds(30);
    private static final Duration SOUND_OUTBOX = Duration.ofSeconds(10);
    private static final Duration RETENTION_EVERY = Duration.ofSeconds(10);
    /** In a pass, which comes every second. */
    private static final Duration RETENTION_TIME = Duration.ofMillis(200);

    private final Ledger ledger;
    private final BrokerSettings broker;
    private final Topology topology;
    private final Duration workerLease;
    private final Duration retention;
    private final Supplier<Optional<Leader.Term>> term;
    private final LongSupplier nanoTime;
    private final Overtaken overtaken;
    private Optional<Connection> connection = Optional.empty();
    private Optional<Long> reachedNanos = Optional.empty();
    private long expireFromNanos;
    private long retentionFromNanos;
    private long retainedTo;

    public RecoveryLoop(
            Ledger ledger,
            BrokerSettings broker,
            Duration workerLease,
            Duration retention,
            Supplier<Optional<Leader.Term>> term) {
        this(ledger, broker, workerLease, retention, term, System::nanoTime);
    }

    RecoveryLoop(
            Ledger ledger,
            BrokerSettings broker,
            Duration workerLease,
            Duration retention,
            Supplier<Optional<Leader.Term>> term,
            LongSupplier nanoTime) {
        this.ledger = ledger;
        this.broker = broker;
        this.topology = new Topology(broker.namespace());
        this.workerLease = workerLease;
        this.retention = retention;
        this.term = term;
        this.nanoTime = nanoTime;
        this.overtaken = new Overtaken(OVERTAKEN_AFTER, nanoTime);
        this.retentionFromNanos = nanoTime.getAsLong();
    }

    public void pass() throws SQLException {
        Optional<Leader.Term> held = term.get();
        if (held.isEmpty()) {
            reachedNanos = Optional.empty();
            return;
        }
        endLapsedLeases(held.get());
        // by itself: promoting waits for locks, which nobody may do who has rows of runs locked
        asLeader(held.get(), connection -> Recovery.expire(connection, MOST));
        boolean published = asLeader(held.get(), connection -> {
            report(Recovery.promote(connection), "that waited follow");
            int overdue = Recovery.republishOverdue(connection, OVERTAKEN_AFTER, MOST);
            report(overdue, "past their time are published again");
            return Outbox.backlog(connection)
                    .oldest()
                    .filter(age -> age.compareTo(SOUND_OUTBOX) > 0)
                    .isEmpty();
        });
        // while the outbox does not drain, what is missing in the queues is missing because of that
        if (published) {
            republishLost(held.get());
        }
        if (nanoTime.getAsLong() - retentionFromNanos >= 0) {
            retentionFromNanos = nanoTime.getAsLong() + retain(held.get()).toNanos();
        }
    }

    @Override
    public void close() {
        connection.ifPresent(open -> open.abort(1_000));
    }

    private void endLapsedLeases(Leader.Term held) throws SQLException {
        asLeader(held, connection -> true);
        if (nanoTime.getAsLong() - expireFromNanos < 0) {
            return;
        }
        Map<RunState, Integer> ended = asLeader(held, connection -> Recovery.endLapsedLeases(connection, MOST));
        if (!ended.isEmpty()) {
            log.warn("leases ran out without being renewed; their runs are now: {}", ended);
        }
    }

    // While the ledger could not be reached, no worker could renew either: after any gap every lease gets its full
    // time. A pass that takes long reaches it all the while.
    private void reached() {
        long now = nanoTime.getAsLong();
        boolean gap =
                reachedNanos.map(last -> now - last > workerLease.toNanos() / 3).orElse(true);
        if (gap) {
            expireFromNanos = now + workerLease.toNanos();
        }
        reachedNanos = Optional.of(now);
    }

    private void republishLost(Leader.Term held) throws SQLException {
        Map<String, Instant> claimedUpTo = asLeader(held, Workers::claimedUpTo);
        Map<String, Instant> longAgo = overtaken.observe(claimedUpTo);
        Collection<String> inUse = asLeader(held, Recovery::queuesInUse);
        Collection<String> empty = emptyAmong(inUse);
        int republished = asLeader(held, connection -> {
            int count = longAgo.isEmpty() ? 0 : Recovery.republishOvertaken(connection, longAgo, OVERTAKEN_AFTER, MOST);
            return empty.isEmpty()
                    ? count
                    : count + Recovery.republishFromEmpty(connection, empty, OVERTAKEN_AFTER, OVERTAKEN_AFTER, MOST);
        });
        report(republished, "whose message seems to be gone are published again");
    }

    // in small transactions, as many as fit: it must keep up with what is fired
    private Duration retain(Leader.Term held) throws SQLException {
        asLeader(held, connection -> {
            Retention.deleteRest(connection, retention);
            return true;
        });
        long until = nanoTime.getAsLong() + RETENTION_TIME.toNanos();
        Optional<Long> after = Optional.of(retainedTo);
        while (after.isPresent() && nanoTime.getAsLong() - until < 0) {
            long from = after.get();
            after = asLeader(held, connection -> Retention.deleteRuns(connection, retention, from, MOST))
                    .after();
        }
        retainedTo = after.orElse(0L);
        return after.isPresent() ? Duration.ZERO : RETENTION_EVERY;
    }

    // the broker may be away: then nobody knows, and nothing is published again for this reason
    private Collection<String> emptyAmong(Collection<String> queues) {
        List<String> empty = new ArrayList<>();
        try {
            for (String queue : queues) {
                if (messages(topology.taskQueue(queue)) == 0) {
                    empty.add(queue);
                }
            }
            return empty;
        } catch (IOException away) {
            log.debug("the queues cannot be looked at: {}", away.getMessage());
            connection.ifPresent(broken -> broken.abort(1_000));
            connection = Optional.empty();
            return List.of();
        }
    }

    private long messages(String queue) throws IOException {
        if (connection.filter(Connection::isOpen).isEmpty()) {
            connection = Optional.of(Brokers.connect(broker, "recovery"));
        }
        Channel channel = connection.get().createChannel();
        try {
            return channel.messageCount(queue);
        } catch (IOException refused) {
            if (Brokers.replyCode(refused) == 404) {
                return 0;
            }
            throw refused;
        } finally {
            channel.abort();
        }
    }

    private <T> T asLeader(Leader.Term held, Ledger.SqlWork<T> step) throws SQLException {
        T result = ledger.transaction(connection -> {
            if (!Leader.confirm(connection, held)) {
                throw new SQLException("another beat leads: recovery is its work now");
            }
            return step.run(connection);
        });
        reached();
        return result;
    }

    private static void report(int runs, String why) {
        if (runs > 0) {
            log.info("{} runs {}", runs, why);
        }
    }
}
