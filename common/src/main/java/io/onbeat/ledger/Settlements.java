package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.booleans;
import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;
import static io.onbeat.ledger.Sql.uuids;

import io.onbeat.fault.CrashPoint;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ends attempts: running → succeeded, skipped, retrying, dead, cancelled, or queued again by a release. */
public final class Settlements {
    private Settlements() {}

    /**
     * Settles what the caller still holds the lease of. A settle that is repeated with the same token gives the same
     * answer, so a reply that was lost loses nothing.
     *
     * @return the state each run is in now, by run id; a run that is missing belongs to another owner, and its outcome must
     *     be discarded. A run whose cancellation was asked for is cancelled where it would have been tried again.
     */
    public static Map<Long, RunState> settle(Ledger ledger, List<Settlement> settlements) throws SQLException {
        Set<Integer> followed = settlements.stream()
                .flatMap(settlement -> settlement.followed().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> limited = settlements.stream()
                .flatMap(settlement -> settlement.limited().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (followed.isEmpty() && limited.isEmpty() && settlements.stream().allMatch(Settlements::isPlain)) {
            try (Connection connection = ledger.connection()) {
                return withRepeated(connection, settlements, end(connection, settlements));
            }
        }
        return ledger.transaction(connection -> {
            if (!followed.isEmpty()) {
                Promotion.lock(connection, followed);
            }
            List<String> permitted = limited.isEmpty() ? List.of() : Permits.lock(connection, limited);
            Map<Long, RunState> settled = end(connection, settlements);
            recordFailures(connection, settlements, settled);
            Outbox.add(connection, Outbox.Kind.DEAD, in(settled, RunState.DEAD));
            Outbox.add(connection, Outbox.Kind.TASK, in(settled, RunState.QUEUED));
            if (!followed.isEmpty()) {
                Promotion.promote(connection, followed);
            }
            if (!permitted.isEmpty()) {
                Permits.drop(connection, each(settlements, s -> s.attempt().runId()));
                Permits.call(connection, permitted);
            }
            CrashPoint.SETTLE_WRITTEN.pass();
            return withRepeated(connection, settlements, settled);
        });
    }

    private static boolean isPlain(Settlement settlement) {
        return settlement.state() == RunState.SUCCEEDED || settlement.state() == RunState.SKIPPED;
    }

    // Invariant: only the holder of the lease token ends an attempt, and only once. Rows are locked in id order.
    private static Map<Long, RunState> end(Connection connection, List<Settlement> settlements) throws SQLException {
        Map<Long, RunState> settled = new HashMap<>();
        Sql.list(
                connection,
                """
                with outcome as materialized (
                    select * from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
                        as o (id, token, state, result, failed, error_class, error_message, delay_ms, recover_ms)
                ), mine as (
                    select run.id, outcome.result, outcome.failed, outcome.error_class, outcome.error_message,
                           outcome.delay_ms, outcome.recover_ms,
                           case when run.cancel_requested and outcome.state in ('retrying', 'queued') then 'cancelled'
                                else outcome.state end::run_state as state
                    from outcome join run on run.id = outcome.id
                    where run.state = 'running' and run.lease_token = outcome.token
                    order by run.id
                    for update of run
                )
                update run set
                    state = mine.state, open = mine.state in ('retrying', 'queued'), result = mine.result::json,
                    failures = run.failures + mine.failed::int, lease_until = null,
                    error_class = mine.error_class, error_message = mine.error_message,
                    next_attempt_at =
                        case mine.state when 'retrying' then clock() + mine.delay_ms * interval '1 ms' end,
                    queued_at = case mine.state when 'queued' then clock() else run.queued_at end,
                    finished_at = case when mine.state not in ('retrying', 'queued') then clock() end,
                    republished = 0,
                    republish_at =
                        case mine.state when 'retrying' then clock() + mine.recover_ms * interval '1 ms' end
                from mine where run.id = mine.id
                returning run.id, run.state""",
                row -> settled.put(row.getLong("id"), RunState.of(row.getString("state"))),
                longs(each(settlements, s -> s.attempt().runId())),
                uuids(each(settlements, Settlement::token)),
                texts(each(settlements, s -> s.state().word())),
                texts(each(settlements, s -> s.result().orElse(null))),
                booleans(each(settlements, Settlement::countsAsFailure)),
                texts(each(
                        settlements, s -> s.failure().map(Failure::errorClass).orElse(null))),
                texts(each(
                        settlements,
                        s -> s.failure().map(Failure::message).or(s::reason).orElse(null))),
                longs(each(settlements, s -> s.delay().toMillis())),
                longs(each(settlements, s -> s.recoverAfter().toMillis())));
        return settled;
    }

    private static void recordFailures(Connection connection, List<Settlement> settlements, Map<Long, RunState> settled)
            throws SQLException {
        List<Settlement> failed = settlements.stream()
                .filter(s -> s.failure().isPresent()
                        && settled.containsKey(s.attempt().runId()))
                .toList();
        if (failed.isEmpty()) {
            return;
        }
        Sql.update(
                connection,
                """
                insert into attempt (run_id, attempt, outcome, worker, started_at, finished_at,
                                     error_class, error_message, stack_trace)
                select run.id, f.attempt, f.outcome, run.lease_owner, run.started_at, clock(),
                       f.error_class, f.error_message, f.stack_trace
                from unnest(?, ?, ?, ?, ?, ?) as f (id, attempt, outcome, error_class, error_message, stack_trace)
                     join run on run.id = f.id
                on conflict do nothing""",
                longs(each(failed, s -> s.attempt().runId())),
                ints(each(failed, s -> s.attempt().number())),
                texts(each(failed, s -> failure(s).kind().word())),
                texts(each(failed, s -> failure(s).errorClass())),
                texts(each(failed, s -> failure(s).message())),
                texts(each(failed, s -> failure(s).stackTrace())));
    }

    // Settled before under the same token: a reply that was lost, or the task's own transaction.
    private static Map<Long, RunState> withRepeated(
            Connection connection, List<Settlement> settlements, Map<Long, RunState> settled) throws SQLException {
        if (settled.size() == settlements.size()) {
            return settled;
        }
        Map<Long, UUID> tokens = new HashMap<>();
        settlements.stream()
                .filter(s -> !settled.containsKey(s.attempt().runId()))
                .forEach(s -> tokens.put(s.attempt().runId(), s.token()));
        Sql.list(
                connection,
                """
                select run.id, run.state from unnest(?, ?) as o (id, token) join run using (id)
                where run.lease_token = o.token and run.state <> 'running'""",
                row -> settled.put(row.getLong("id"), RunState.of(row.getString("state"))),
                longs(tokens.keySet()),
                uuids(tokens.values()));
        return settled;
    }

    private static Failure failure(Settlement settlement) {
        return settlement.failure().orElseThrow();
    }

    private static List<Long> in(Map<Long, RunState> settled, RunState state) {
        return settled.entrySet().stream()
                .filter(e -> e.getValue() == state)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static <T> List<T> each(List<Settlement> settlements, Function<Settlement, T> field) {
        List<T> values = new ArrayList<>(settlements.size());
        settlements.forEach(settlement -> values.add(field.apply(settlement)));
        return values;
    }
}
