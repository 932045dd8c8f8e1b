package io.onbeat.examples;

import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Moves the pending points of every account to its balance, once in a period. The work is too much for one transaction, so
 * it goes in batches; the settlement row and the moved points are one commit, and the row's key (account, period) keeps
 * them single. Runs side by side share the work, and what a killed one left the next finishes.
 */
public final class SettlePoints implements Task {
    private static final String CLAIM = """
            select a.id from demo.account a
            where not exists (select from demo.settlement s where s.account_id = a.id and s.period = ?)
            order by a.id limit ? for no key update of a""";

    // A statement of its own, so that it sees what was committed before the claim had its locks: an account that
    // another
    // run settled meanwhile adds no row here, and only a new row moves points.
    private static final String SETTLE = """
            with settled as (
                insert into demo.settlement (account_id, period, points, run_key)
                select id, ?, pending, ? from demo.account where id = any(?)
                on conflict do nothing
                returning account_id, points)
            update demo.account a set balance = a.balance + s.points, pending = a.pending - s.points
            from settled s where a.id = s.account_id""";

    /**
     * @param period {@code day}, {@code hour} or {@code minute} of the fire time, or any other text: a period's own name
     * @param batch accounts per commit
     */
    record Args(String period, Integer batch) {
        Args {
            period = period == null ? "day" : period;
            batch = batch == null ? 500 : batch;
            if (batch < 1) {
                throw new IllegalArgumentException("batch must be at least 1, not " + batch);
            }
        }
    }

    record Settled(String period, int accounts) {}

    @Override
    public String name() {
        return "settle-points";
    }

    @Override
    public Object run(TaskContext context) throws Exception {
        Args args = context.args(Args.class);
        String period = Period.of(args.period(), context.fireTime());
        DataSource ledger = context.dataSource("ledger");
        DemoData.ensure(ledger);
        int accounts = 0;
        try (Connection connection = ledger.getConnection()) {
            connection.setAutoCommit(false);
            for (List<Integer> claimed = claim(connection, period, args.batch());
                    !claimed.isEmpty();
                    claimed = claim(connection, period, args.batch())) {
                accounts += settle(connection, period, context.runKey(), claimed);
                connection.commit();
                if (context.stopping()) {
                    throw new InterruptedException("stopped after " + accounts + " accounts; the next run goes on");
                }
            }
            connection.rollback();
        }
        if (accounts == 0) {
            throw new Skipped("every account is settled for " + period);
        }
        return new Settled(period, accounts);
    }

    /** Accounts that no other run holds; where only held ones are left, waits for them: their run may yet fail. */
    private static List<Integer> claim(Connection connection, String period, int batch) throws SQLException {
        List<Integer> free = claim(connection, CLAIM + " skip locked", period, batch);
        return free.isEmpty() ? claim(connection, CLAIM, period, batch) : free;
    }

    private static List<Integer> claim(Connection connection, String sql, String period, int batch)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, period);
            statement.setInt(2, batch);
            List<Integer> ids = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    ids.add(result.getInt(1));
                }
            }
            return ids;
        }
    }

    private static int settle(Connection connection, String period, String runKey, List<Integer> ids)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
            statement.setString(1, period);
            statement.setString(2, runKey);
            statement.setArray(3, connection.createArrayOf("integer", ids.toArray()));
            return statement.executeUpdate();
        }
    }
}
