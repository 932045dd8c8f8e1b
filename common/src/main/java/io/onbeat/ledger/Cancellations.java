package io.onbeat.ledger;

import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Cancels runs: at once what is not running; what is running learns of it with its worker's next lease renewal. */
public final class Cancellations {
    private Cancellations() {}

    /** @return the state that the run was in before; empty when the ledger has no such run. What had ended stays as it was. */
    public static Optional<RunState> cancel(Connection connection, String key) throws SQLException {
        return Sql.first(connection, """
                with asked as (select id, state from run where key = ? for update), cancelled as (
                    update run set
                        cancel_requested = true,
                        state = case run.state when 'running' then run.state else 'cancelled' end,
                        open = run.state = 'running',
                        finished_at = case run.state when 'running' then null else clock() end
                    from asked where run.id = asked.id and run.open
                )
                select state from asked""", row -> RunState.of(row.getString("state")), key);
    }
}
