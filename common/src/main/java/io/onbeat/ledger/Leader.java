package io.onbeat.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The lease of the one active beat. */
public final class Leader {
    private Leader() {}

    /**
     * A leadership.
     *
     * @param owner the beat's id
     * @param term grows with every change of leader
     * @param now the database's time when it was granted or renewed
     */
    public record Term(String owner, long term, Instant now) {}

    /** Takes the lease where nobody holds it; empty while another beat does. */
    public static Optional<Term> acquire(Ledger ledger, String owner, Duration lease) throws SQLException {
        try (Connection connection = ledger.connection()) {
            return Sql.first(
                    connection,
                    """
                    insert into leader (name, owner, term, lease_until)
                    values ('beat', ?, 1, clock() + ? * interval '1 ms')
                    on conflict (name) do update
                        set owner = excluded.owner, term = leader.term + 1, lease_until = excluded.lease_until
                        where leader.lease_until <= clock()
                    returning term, clock() as now""",
                    row -> new Term(owner, row.getLong("term"), Sql.instant(row, "now")),
                    owner,
                    lease.toMillis());
        }
    }

    /** Renews the lease; empty when another beat has taken it. */
    public static Optional<Term> renew(Ledger ledger, Term held, Duration lease) throws SQLException {
        try (Connection connection = ledger.connection()) {
            return Sql.first(
                    connection,
                    """
                    update leader set lease_until = clock() + ? * interval '1 ms'
                    where name = 'beat' and owner = ? and term = ?
                    returning clock() as now""",
                    row -> new Term(held.owner(), held.term(), Sql.instant(row, "now")),
                    lease.toMillis(),
                    held.owner(),
                    held.term());
        }
    }

    /** Ends the lease at once, so that a standby need not wait for it to run out. */
    public static void release(Ledger ledger, Term held) throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.update(
                    connection,
                    "update leader set lease_until = '-infinity' where name = 'beat' and owner = ? and term = ?",
                    held.owner(),
                    held.term());
        }
    }

    /**
     * True while this term stands, and until the transaction ends: taking the lease over waits for the lock. Every
     * transaction that a leader alone may do starts with it.
     */
    public static boolean confirm(Connection connection, Term held) throws SQLException {
        return Sql.first(
                        connection,
                        "select 1 from leader where name = 'beat' and owner = ? and term = ? for share",
                        row -> 1,
                        held.owner(),
                        held.term())
                .isPresent();
    }
}
