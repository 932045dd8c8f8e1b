package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.optionalInstant;
import static io.onbeat.ledger.Sql.optionalText;

import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads runs and their failed attempts, newest first. */
public final class History {
    private History() {}

    /**
     * Which runs to list; what is empty restricts nothing.
     *
     * @param since runs whose fire time is not before it
     * @param error a part of the error's class or message
     */
    public record Filter(
            Optional<String> schedule,
            Optional<RunState> state,
            Optional<Instant> since,
            Optional<String> error,
            int most) {}

    /** A failed attempt. */
    public record AttemptView(
            int attempt,
            String outcome,
            Optional<String> worker,
            Optional<Instant> startedAt,
            Instant finishedAt,
            Optional<String> errorClass,
            Optional<String> errorMessage,
            Optional<String> stackTrace) {}

    /**
     * What a run was given along: its limits, and where its present lease ends.
     *
     * @param progress of the attempt that is running, as JSON
     */
    public record Terms(
            Duration timeout,
            Optional<String> retry,
            Optional<Instant> expiresAt,
            Optional<Instant> leaseUntil,
            Optional<String> progress,
            Optional<String> traceId) {}

    private static final String RUN = """
            select run.*, least((select min(attempt.started_at) from attempt where attempt.run_id = run.id),
                                run.started_at) as first_started_at
            from run""";

    public static List<RunView> runs(Connection connection, Filter filter) throws SQLException {
        StringBuilder sql = new StringBuilder(RUN).append(" where true");
        List<Object> parameters = new ArrayList<>();
        filter.schedule().ifPresent(schedule -> {
            // by its id too: the runs from before a rename have its former name
            sql.append(" and (schedule = ? or schedule_id = (select id from schedule where name = ?))");
            parameters.add(schedule);
            parameters.add(schedule);
        });
        filter.state().ifPresent(state -> {
            // "open" lets the planner use the small index of what is still to happen
            sql.append(" and state = ?::run_state").append(state.open() ? " and open" : " and not open");
            parameters.add(state.word());
        });
        filter.since().ifPresent(since -> {
            sql.append(" and fire_at >= ?");
            parameters.add(since);
        });
        filter.error().ifPresent(error -> {
            sql.append(" and strpos(concat(error_class, ' ', error_message), ?) > 0");
            parameters.add(error);
        });
        sql.append(" order by id desc limit ?");
        parameters.add(filter.most());
        return Sql.list(connection, sql.toString(), History::read, parameters.toArray());
    }

    public static Optional<RunView> run(Connection connection, String key) throws SQLException {
        return Sql.first(connection, RUN + " where key = ?", History::read, key);
    }

    public static List<AttemptView> attempts(Connection connection, long runId) throws SQLException {
        return Sql.list(
                connection,
                "select * from attempt where run_id = ? order by attempt",
                row -> new AttemptView(
                        row.getInt("attempt"),
                        row.getString("outcome"),
                        optionalText(row, "worker"),
                        optionalInstant(row, "started_at"),
                        Sql.instant(row, "finished_at"),
                        optionalText(row, "error_class"),
                        optionalText(row, "error_message"),
                        optionalText(row, "stack_trace")),
                runId);
    }

    public static Terms terms(Connection connection, long runId) throws SQLException {
        return Sql.one(
                connection,
                """
                select timeout_ms, retry, expires_at, lease_until, trace_id,
                       case when state = 'running' and (progress->>'attempt')::int = attempt then progress end as progress
                from run where id = ?""",
                row -> new Terms(
                        Duration.ofMillis(row.getLong("timeout_ms")),
                        optionalText(row, "retry"),
                        optionalInstant(row, "expires_at"),
                        optionalInstant(row, "lease_until"),
                        optionalText(row, "progress"),
                        optionalText(row, "trace_id")),
                runId);
    }

    private static RunView read(ResultSet row) throws SQLException {
        return new RunView(
                row.getLong("id"),
                row.getString("key"),
                optionalText(row, "schedule"),
                row.getString("task"),
                row.getString("queue"),
                Runs.origin(row.getString("origin")),
                Sql.instant(row, "fire_at"),
                RunState.of(row.getString("state")),
                row.getBoolean("for_permit") && RunState.of(row.getString("state")) == RunState.WAITING,
                row.getInt("attempt"),
                row.getInt("failures"),
                row.getInt("max_attempts"),
                Sql.instant(row, "queued_at"),
                optionalInstant(row, "started_at"),
                optionalInstant(row, "first_started_at"),
                optionalInstant(row, "finished_at"),
                optionalInstant(row, "next_attempt_at"),
                row.getBoolean("cancel_requested"),
                optionalText(row, "lease_owner"),
                optionalText(row, "error_class"),
                optionalText(row, "error_message"),
                row.getString("args"),
                optionalText(row, "result"));
    }
}
