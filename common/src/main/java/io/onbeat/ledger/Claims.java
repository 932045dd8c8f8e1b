package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;
import static io.onbeat.ledger.Sql.texts;
import static io.onbeat.ledger.Sql.uuids;

import io.onbeat.run.Attempt;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Starts attempts: queued or retrying → running. */
public final class Claims {
    private Claims() {}

    /** The wish to start an attempt, under a lease token that the worker made before it asks. */
    public record Wish(Attempt attempt, UUID token) {}

    /**
     * Claims what may start; one answer for each wish, in their order. Asking again with the same tokens gives the same
     * answers, so a reply that was lost loses nothing.
     */
    public static List<ClaimResult> claim(Ledger ledger, String worker, Duration lease, List<Wish> wishes)
            throws SQLException {
        Map<Long, ClaimedRun> claimed;
        Map<Long, Refusal> refusals;
        try (Connection connection = ledger.connection()) {
            claimed = grant(connection, worker, lease, wishes);
            refusals = claimed.size() == wishes.size() ? Map.of() : refusals(connection, wishes, claimed);
        }
        List<Wish> limited = wishes.stream()
                .filter(wish -> Optional.ofNullable(refusals.get(wish.attempt().runId()))
                        .filter(refusal -> refusal.wantsPermit(wish.attempt()))
                        .isPresent())
                .toList();
        if (limited.isEmpty()) {
            return answers(wishes, claimed, refusals, Set.of());
        }
        Set<String> tasks = limited.stream()
                .map(wish -> refusals.get(wish.attempt().runId()).task)
                .collect(Collectors.toSet());
        Permits.Answers permits =
                ledger.transaction(connection -> Permits.claim(connection, worker, lease, tasks, limited));
        claimed.putAll(permits.claimed());
        return answers(wishes, claimed, refusals, permits.waiting());
    }

    /** Of a run and a wish: its attempt is the next one, and nothing keeps it from starting now. */
    static final String MAY_START = """
            run.state in ('queued', 'retrying') and run.attempt = wish.attempt - 1
            and run.failures < run.max_attempts and not run.cancel_requested
            and (run.next_attempt_at is null or run.next_attempt_at <= clock())
            and (run.attempt > 0 or run.expires_at is null or run.expires_at > clock())""";

    // Invariants: an attempt starts once (attempt is compared and grows), never with its failures exhausted, never
    // before its time, never under cancellation; never here where its task has a limit, which is for Permits. Rows
    // are locked in id order, so that no two batches wait in a circle. The limits are read once, as an array: a
    // subquery would count for every row, and the planner would rather read the whole table than follow the ids.
    private static Map<Long, ClaimedRun> grant(Connection connection, String worker, Duration lease, List<Wish> wishes)
            throws SQLException {
        Map<Long, ClaimedRun> claimed = new HashMap<>();
        Sql.list(
                connection,
                """
                with wish as materialized (
                    select * from unnest(?, ?, ?, ?) as w (id, key, attempt, token)
                ), granted as (
                    select run.id, wish.attempt, wish.token
                    from wish join run on run.id = wish.id and run.key = wish.key
                    where %s
                          and run.task <> all (array(select task from task_limit))
                       or run.state = 'running' and run.attempt = wish.attempt and run.lease_token = wish.token
                    order by run.id
                    for update of run
                )
                update run set state = 'running', attempt = granted.attempt, lease_token = granted.token,
                               lease_owner = ?, lease_until = clock() + ? * interval '1 ms', started_at = clock(),
                               next_attempt_at = null, for_permit = false
                from granted where run.id = granted.id
                returning run.id, run.key, run.attempt, run.lease_token, run.origin, run.schedule_id, run.schedule, run.task, run.queue,
                          run.fire_at, run.args, run.timeout_ms, run.retry, run.max_attempts, run.serial, run.failures,
                          run.queued_at, run.started_at,
                          run.task = any (array(select task from task_limit)) as limited""".formatted(MAY_START),
                row -> claimed.put(row.getLong("id"), read(row)),
                longs(wishes.stream().map(w -> w.attempt().runId()).toList()),
                texts(wishes.stream().map(w -> w.attempt().runKey()).toList()),
                ints(wishes.stream().map(w -> w.attempt().number()).toList()),
                uuids(wishes.stream().map(Wish::token).toList()),
                worker,
                lease.toMillis());
        return claimed;
    }

    private record Refusal(
            int attempt, String key, boolean mayStart, boolean expired, Duration delay, String task, boolean limited) {

        boolean wantsPermit(Attempt wished) {
            return limited
                    && mayStart
                    && !expired
                    && key.equals(wished.runKey())
                    && attempt == wished.number() - 1
                    && delay.compareTo(Duration.ZERO) <= 0;
        }
    }

    private static Map<Long, Refusal> refusals(Connection connection, List<Wish> wishes, Map<Long, ClaimedRun> claimed)
            throws SQLException {
        List<Long> refused = wishes.stream()
                .map(w -> w.attempt().runId())
                .filter(id -> !claimed.containsKey(id))
                .toList();
        Map<Long, Refusal> refusals = new HashMap<>();
        Sql.list(
                connection,
                """
                select id, key, attempt, task, task = any (array(select task from task_limit)) as limited, state in ('queued', 'retrying') and not cancel_requested as may_start,
                       attempt = 0 and coalesce(expires_at <= clock(), false) as expired,
                       ceil(coalesce(extract(epoch from next_attempt_at - clock()), 0) * 1000)::bigint as wait_ms
                from run where id = any (?)""",
                row -> refusals.put(
                        row.getLong("id"),
                        new Refusal(
                                row.getInt("attempt"),
                                row.getString("key"),
                                row.getBoolean("may_start"),
                                row.getBoolean("expired"),
                                Duration.ofMillis(row.getLong("wait_ms")),
                                row.getString("task"),
                                row.getBoolean("limited"))),
                longs(refused));
        return refusals;
    }

    private static List<ClaimResult> answers(
            List<Wish> wishes, Map<Long, ClaimedRun> claimed, Map<Long, Refusal> refusals, Set<Long> waiting) {
        List<ClaimResult> answers = new ArrayList<>(wishes.size());
        Set<Long> started = new HashSet<>();
        for (Wish wish : wishes) {
            Attempt attempt = wish.attempt();
            ClaimedRun run = claimed.get(attempt.runId());
            if (run != null) {
                // one message of a run is in the batch twice: the token tells which of them was granted
                boolean mine = run.token().equals(wish.token()) && started.add(attempt.runId());
                answers.add(mine ? new ClaimResult.Claimed(run) : new ClaimResult.Duplicate(attempt));
            } else if (waiting.contains(attempt.runId())) {
                answers.add(new ClaimResult.Waiting(attempt));
            } else {
                answers.add(refused(attempt, refusals.get(attempt.runId())));
            }
        }
        return answers;
    }

    private static ClaimResult refused(Attempt attempt, Refusal refusal) {
        if (refusal == null || !refusal.key.equals(attempt.runKey())) {
            return new ClaimResult.Unknown(attempt);
        }
        if (!refusal.mayStart || refusal.attempt != attempt.number() - 1) {
            return new ClaimResult.Duplicate(attempt);
        }
        if (refusal.expired) {
            return new ClaimResult.Expired(attempt);
        }
        // at least a millisecond: the time may have come, or a limit may have gone, between two statements
        Duration delay = refusal.delay.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : refusal.delay;
        return new ClaimResult.Early(attempt, delay);
    }

    static ClaimedRun read(ResultSet row) throws SQLException {
        Instant startedAt = Sql.instant(row, "started_at");
        return new ClaimedRun(
                new Attempt(row.getLong("id"), row.getString("key"), row.getInt("attempt")),
                (UUID) row.getObject("lease_token"),
                Runs.origin(row.getString("origin")),
                Optional.ofNullable((Integer) row.getObject("schedule_id")),
                Sql.optionalText(row, "schedule"),
                row.getString("task"),
                row.getString("queue"),
                Sql.instant(row, "fire_at"),
                row.getString("args"),
                Duration.ofMillis(row.getLong("timeout_ms")),
                row.getString("retry"),
                row.getInt("max_attempts"),
                row.getBoolean("serial"),
                row.getInt("failures"),
                Sql.instant(row, "queued_at"),
                startedAt,
                row.getBoolean("limited"));
    }
}
