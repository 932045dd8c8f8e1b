package io.onbeat.ledger;

import static io.onbeat.ledger.Sql.ints;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Overlap: queue. Waiting → queued, one run at a time and in the order of their fire times. */
public final class Promotion {
    private Promotion() {}

    /** Locks the rows of these schedules, in id order: whoever ends, starts or promotes a serial run does so first. */
    static void lock(Connection connection, Collection<Integer> scheduleIds) throws SQLException {
        Sql.list(
                connection,
                "select id from schedule where id = any (?) order by id for update",
                row -> row.getInt(1),
                ints(scheduleIds));
    }

    /**
     * Queues the next waiting run of each schedule that has no other active one. Invariant: at most one serial run of a
     * schedule is active beside those that wait for it (one that waits for a permit of its task is active); it holds since
     * every caller has the schedules' locks, and looks with a statement of its own after it got them.
     *
     * @return how many runs were queued
     */
    static int promote(Connection connection, Collection<Integer> scheduleIds) throws SQLException {
        List<Long> promoted = Sql.list(connection, """
                update run set state = 'queued', queued_at = greatest(clock(), run.next_attempt_at)
                from (
                    select distinct on (waiting.schedule_id) waiting.id from run as waiting
                    where waiting.schedule_id = any (?) and waiting.open and waiting.state = 'waiting'
                          and not waiting.for_permit
                          and not exists (select from run as busy where busy.schedule_id = waiting.schedule_id
                                          and busy.open and (busy.state <> 'waiting' or busy.for_permit))
                    order by waiting.schedule_id, waiting.fire_at, waiting.id
                ) as next
                where run.id = next.id and run.state = 'waiting'
                returning run.id""", row -> row.getLong(1), ints(scheduleIds));
        Outbox.add(connection, Outbox.Kind.TASK, promoted);
        return promoted.size();
    }
}
