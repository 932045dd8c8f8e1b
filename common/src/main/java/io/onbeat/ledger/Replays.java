package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;
import static io.onbeat.ledger.Sql.longs;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Sets dead runs going again: dead → queued, with their failures forgotten and their attempts counted on. */
public final class Replays {
    private Replays() {}

    /** A run that was dead when {@code attempt} had failed. */
    public record DeadRun(long runId, int attempt) {}

    /**
     * Invariant: a replay names the attempt at which the run died, so that asking twice replays once. Locks the schedules'
     * rows first, as all do that make a run active.
     *
     * @return the ids of the runs that this call has set going; a serial one waits while another run of its schedule is active
     */
    public static List<Long> replay(Connection connection, List<DeadRun> runs) throws SQLException {
        Sql.list(
                connection,
                """
                select 1 from schedule where id in (select schedule_id from run where id = any (?)) order by id for update""",
                row -> 1,
                longs(runs.stream().map(DeadRun::runId).toList()));
        return Sql.list(
                connection,
                """
                with wanted as materialized (
                    select * from unnest(?, ?) as w (id, attempt)
                ), dead as (
                    select run.id, run.schedule_id, run.fire_at, run.serial
                    from wanted join run on run.id = wanted.id
                    where run.state = 'dead' and run.attempt = wanted.attempt
                    order by run.id for update of run
                ), placed as (
                    select *, row_number() over (partition by schedule_id order by fire_at, id) as place from dead
                )
                update run set
                    state = case when placed.serial and (placed.place > 1 or exists (
                                select from run as busy where busy.schedule_id = placed.schedule_id and busy.open))
                            then 'waiting' else 'queued' end::run_state,
                    open = true, for_permit = false, failures = 0, finished_at = null, queued_at = clock(),
                    next_attempt_at = null, expires_at = null, cancel_requested = false,
                    republish_at = null, republished = 0, lease_token = null
                from placed where run.id = placed.id
                returning run.id""",
                row -> row.getLong(1),
                longs(runs.stream().map(DeadRun::runId).toList()),
                ints(runs.stream().map(DeadRun::attempt).toList()));
    }
}
