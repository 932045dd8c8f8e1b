package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;
import static io.onbeat.ledger.Sql.uuids;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Keeps the leases of running runs. Only {@link Recovery} ends one that was not kept. */
public final class Leases {
    private Leases() {}

    public enum Renewal {
        RENEWED,
        /** renewed, and somebody asked for the run's cancellation */
        CANCELLED,
        /** another owner has the run, or it has ended */
        LOST,
        /** its row is locked just now: the lease stands as it was */
        BUSY
    }

    /** Renews the leases, by run id and token, in one statement that waits for no lock. */
    public static Map<Long, Renewal> renew(Ledger ledger, Duration lease, Map<Long, UUID> tokens) throws SQLException {
        return renew(ledger, lease, tokens, Map.of());
    }

    /** @param progress as JSON by run id, of those that have something new to tell: it needs no write of its own so */
    public static Map<Long, Renewal> renew(
            Ledger ledger, Duration lease, Map<Long, UUID> tokens, Map<Long, String> progress) throws SQLException {
        Map<Long, Renewal> renewals = new HashMap<>();
        if (tokens.isEmpty()) {
            return renewals;
        }
        List<Long> ids = new ArrayList<>(tokens.keySet());
        List<UUID> held = ids.stream().map(tokens::get).toList();
        List<String> told =
                ids.stream().map(id -> progress.getOrDefault(id, "")).toList();
        try (Connection connection = ledger.connection()) {
            Sql.list(
                    connection,
                    """
                    with held as (
                        select run.id, nullif(h.progress, '')::json as progress
                        from unnest(?, ?, ?) as h (id, token, progress) join run on run.id = h.id
                        where run.lease_token = h.token and run.state = 'running'
                        order by run.id
                        for update of run skip locked
                    )
                    update run set lease_until = clock() + ? * interval '1 ms',
                                   progress = coalesce(held.progress, run.progress)
                    from held where run.id = held.id
                    returning run.id, run.cancel_requested""",
                    row -> renewals.put(
                            row.getLong("id"),
                            row.getBoolean("cancel_requested") ? Renewal.CANCELLED : Renewal.RENEWED),
                    longs(ids),
                    uuids(held),
                    texts(told),
                    lease.toMillis());
            if (renewals.size() < ids.size()) {
                Sql.list(
                        connection,
                        """
                        select h.id, coalesce(run.lease_token = h.token and run.state = 'running', false) as mine
                        from unnest(?, ?) as h (id, token) left join run on run.id = h.id""",
                        row -> renewals.putIfAbsent(
                                row.getLong("id"), row.getBoolean("mine") ? Renewal.BUSY : Renewal.LOST),
                        longs(ids),
                        uuids(held));
            }
        }
        return renewals;
    }

    /**
     * The last statement of a task's own transaction: its run has succeeded when this commits, and only then. From here on
     * the transaction holds the run's row, so it may not idle: of a worker that stands still, recovery could not have the run.
     *
     * @return false where the lease is another's: the transaction must be rolled back
     */
    public static boolean succeed(Connection connection, String namespace, ClaimedRun run, String result)
            throws SQLException {
        return Sql.first(
                        connection,
                        """
                        update %1$s.run set state = 'succeeded', open = false, result = ?::json, finished_at = %1$s.clock(),
                                            lease_until = null, error_class = null, error_message = null
                        where id = ? and state = 'running' and lease_token = ?
                        returning set_config('idle_in_transaction_session_timeout', '5s', true)""".formatted(namespace),
                        row -> true,
                        result,
                        run.attempt().runId(),
                        run.token())
                .isPresent();
    }
}
