package io.onbeat.task.builtin;

import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

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
    public Object run(TaskContext context) throws Exception {
        SqlScript script = SqlScript.of(context);
        return Map.of(
                "statements",
                script.dataSource().equals(LEDGER)
                        ? context.transaction(script::run)
                        : inOwnTransaction(context, script));
    }

    private static List<Map<String, Object>> inOwnTransaction(TaskContext context, SqlScript script) throws Exception {
        try (Connection connection = context.dataSource(script.dataSource()).getConnection()) {
            connection.setAutoCommit(false);
            try {
                List<Map<String, Object>> results = script.run(connection);
                connection.commit();
                return results;
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
