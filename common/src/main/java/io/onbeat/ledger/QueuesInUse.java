package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The queues that somebody works on or waits in. */
public final class QueuesInUse {
    private QueuesInUse() {}

    /** Of the workers, of the runs that have not ended, and of messages that are still to be published; sorted. */
    public static List<String> all(Connection connection) throws SQLException {
        return Sql.list(connection, """
                select queue collate "C" from (
                    select json_object_keys(queues) as queue from worker where state <> 'stopped'
                    union select queue from run where open
                    union select run.queue from outbox join run on run.id = any (outbox.run_ids)
                ) as used order by 1""", row -> row.getString(1));
    }
}
