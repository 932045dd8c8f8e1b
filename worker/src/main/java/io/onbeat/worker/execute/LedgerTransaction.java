package io.onbeat.worker.execute;

import com.zaxxer.hikari.HikariDataSource;
import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Leases;
import io.onbeat.task.LeaseLost;
import io.onbeat.task.TransactionWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's own transaction on the ledger's database.
 *
 * <p>Invariant: its last statement before the commit is the run's success, fenced by the lease token: both happen or neither.
 */
final class LedgerTransaction {
    private static final Logger log = LoggerFactory.getLogger(LedgerTransaction.class);

    private enum Step {
        UNUSED,
        WORKING,
        COMMITTING,
        COMMITTED
    }

    private final TaskKit kit;
    private final ClaimedRun run;
    private final Secrets secrets;
    private volatile Step step = Step.UNUSED;
    private Optional<Connection> atWork = Optional.empty();
    private boolean cancelled;

    LedgerTransaction(TaskKit kit, ClaimedRun run, Secrets secrets) {
        this.kit = kit;
        this.run = run;
        this.secrets = secrets;
    }

    /** True from the fence on: what the ledger says of the run is then this transaction's own doing. */
    boolean isCommitting() {
        return step == Step.COMMITTING || step == Step.COMMITTED;
    }

    boolean isCommitted() {
        return step == Step.COMMITTED;
    }

    <T> T run(TransactionWork<T> work) throws Exception {
        begin();
        HikariDataSource pool = kit.dataSources().ledger();
        Connection connection = pool.getConnection();
        try {
            return commit(work, connection);
        } finally {
            giveBack(pool, connection);
        }
    }

    private <T> T commit(TransactionWork<T> work, Connection connection) throws Exception {
        connection.setAutoCommit(false);
        try {
            T value = work(work, connection);
            CrashPoint.TRANSACTION_WORKED.pass();
            fence(connection, Results.json(value, secrets));
            CrashPoint.TRANSACTION_WRITTEN.pass();
            connection.commit();
            CrashPoint.TRANSACTION_COMMITTED.pass();
            step = Step.COMMITTED;
            return value;
        } catch (Exception | Error failure) {
            step = Step.WORKING;
            rollback(connection, failure);
            throw failure;
        }
    }

    // a cancellation may still be on its way: it must not meet the connection's next user, and to evict is to close
    private void giveBack(HikariDataSource pool, Connection connection) {
        if (cancelled) {
            pool.evictConnection(connection);
            return;
        }
        try {
            connection.close();
        } catch (SQLException broken) {
            log.warn("the connection of {} is broken: {}", run.attempt().runKey(), broken.getMessage());
        }
    }

    /** Cancels the statement that the work waits for: the driver does not notice an interrupt while it does. */
    synchronized void interrupt() {
        atWork.ifPresent(connection -> {
            cancelled = true;
            Thread thread = new Thread(() -> cancel(connection), "cancel");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private synchronized void begin() {
        if (step != Step.UNUSED) {
            throw new IllegalStateException("transaction may be called once in an attempt");
        }
        step = Step.WORKING;
    }

    private <T> T work(TransactionWork<T> work, Connection connection) throws Exception {
        setAtWork(Optional.of(connection));
        try {
            return work.run(GuardedConnection.of(connection));
        } finally {
            setAtWork(Optional.empty());
        }
    }

    private synchronized void setAtWork(Optional<Connection> connection) {
        atWork = connection;
    }

    private void fence(Connection connection, Optional<String> result) throws SQLException {
        step = Step.COMMITTING;
        if (!Leases.succeed(connection, kit.namespace(), run, result.orElse(null))) {
            throw new LeaseLost(run.attempt().runKey(), run.attempt().number());
        }
    }

    private void cancel(Connection connection) {
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException unreachable) {
            log.warn("could not cancel the statement of {}: {}", run.attempt().runKey(), unreachable.getMessage());
        }
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }
}
