package io.onbeat.worker.execute;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Leases;
import io.onbeat.task.LeaseLost;
import io.onbeat.task.TransactionWork;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A task's own transaction on the ledger's database.
 *
 * <p>Invariant: its last statement before the commit is the run's success, fenced by the lease token: both happen or neither.
 */
final class LedgerTransaction {
    private enum Step {
        UNUSED,
        WORKING,
        COMMITTING,
        COMMITTED
    }

    private final TaskKit kit;
    private final ClaimedRun run;
    private volatile Step step = Step.UNUSED;

    LedgerTransaction(TaskKit kit, ClaimedRun run) {
        this.kit = kit;
        this.run = run;
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
        try (Connection connection = kit.dataSources().ledger().getConnection()) {
            connection.setAutoCommit(false);
            try {
                T value = work.run(GuardedConnection.of(connection));
                String result = Results.json(value).orElse(null);
                step = Step.COMMITTING;
                if (!Leases.succeed(connection, kit.namespace(), run, result)) {
                    throw new LeaseLost(run.attempt().runKey(), run.attempt().number());
                }
                connection.commit();
                step = Step.COMMITTED;
                return value;
            } catch (Exception | Error failure) {
                step = Step.WORKING;
                rollback(connection, failure);
                throw failure;
            }
        }
    }

    private synchronized void begin() {
        if (step != Step.UNUSED) {
            throw new IllegalStateException("transaction may be called once in an attempt");
        }
        step = Step.WORKING;
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }
}
