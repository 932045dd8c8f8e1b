package io.onbeat.lock;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Locks as rows of the ledger; time is the database's. */
public final class LedgerLocks implements LockStore {
    private final Ledger ledger;

    /** @param ledger stays the caller's to close */
    public LedgerLocks(Ledger ledger) {
        this.ledger = ledger;
    }

    // The row is the lock, so two who meet here wait for each other, and the second sees what the first has left. The
    // token of a take-over is drawn when the row is locked: one drawn before could be smaller than the holder's.
    @Override
    public Answer acquire(String name, UUID holder, String owner, Duration timeToLive) throws IOException {
        return ask(connection -> {
            Optional<Long> token =
                    Sql.first(connection, """
                    insert into lock as held (name, holder, owner, token, lease_until)
                    values (?, ?, ?, nextval('lock_token'), clock() + ? * interval '1 ms')
                    on conflict (name) do update
                        set holder = excluded.holder, owner = excluded.owner, lease_until = excluded.lease_until,
                            token = case when held.holder = excluded.holder then held.token else nextval('lock_token') end
                        where held.holder = excluded.holder or held.lease_until <= clock()
                    returning token""", row -> row.getLong(1), name, holder, owner, timeToLive.toMillis());
            return token.<Answer>map(Answer.Acquired::new).orElseGet(() -> new Answer.Busy(owner(connection, name)));
        });
    }

    @Override
    public boolean renew(String name, UUID holder, Duration timeToLive) throws IOException {
        return ask(connection -> Sql.update(
                        connection,
                        "update lock set lease_until = clock() + ? * interval '1 ms' where name = ? and holder = ?",
                        timeToLive.toMillis(),
                        name,
                        holder)
                == 1);
    }

    // the next token is drawn from the sequence, and is larger whether the row is there or not
    @Override
    public void release(String name, UUID holder) throws IOException {
        ask(connection -> Sql.update(connection, "delete from lock where name = ? and holder = ?", name, holder));
    }

    @Override
    public void close() {
        // the ledger is the caller's
    }

    private static String owner(Connection connection, String name) {
        try {
            return Sql.first(connection, "select owner from lock where name = ?", row -> row.getString(1), name)
                    .orElse("somebody who has just let go");
        } catch (SQLException unreadable) {
            return "somebody";
        }
    }

    private <T> T ask(Ledger.SqlWork<T> work) throws IOException {
        try (Connection connection = ledger.connection()) {
            return work.run(connection);
        } catch (SQLException failed) {
            throw new IOException("the ledger does not answer for its locks: " + failed.getMessage(), failed);
        }
    }
}
