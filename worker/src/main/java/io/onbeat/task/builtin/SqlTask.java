package io.onbeat.task.builtin;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import io.onbeat.task.TransactionWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Runs SQL statements in one transaction. In the ledger's database that transaction also settles the run, so the effect is
 * exactly once; elsewhere a run that is tried again may commit twice.
 */
public final class SqlTask implements Task {
    static final String NAME = "sql";

    private static final String LEDGER = "ledger";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void checkArgs(TaskContext context) {
        SqlScript.of(context);
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        SqlScript script = SqlScript.of(context);
        // made inside the transaction, since what its work returns is the run's result
        TransactionWork<Map<String, Object>> work = connection -> Map.of("statements", script.run(connection));
        return script.dataSource().equals(LEDGER)
                ? context.transaction(work)
                : inOwnTransaction(context.dataSource(script.dataSource()), work);
    }

    private static Map<String, Object> inOwnTransaction(DataSource source, TransactionWork<Map<String, Object>> work)
            throws Exception {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Map<String, Object> result = work.run(connection);
                connection.commit();
                return result;
            } catch (Exception | Error e) {
                rollback(connection, e);
                throw e;
            }
        }
    }

    private static void rollback(Connection connection, Throwable reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }
}
