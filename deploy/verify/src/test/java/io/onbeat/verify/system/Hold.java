package io.onbeat.verify.system;

import io.onbeat.local.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A lock in the database that the test holds until it lets go: it stops a process at a chosen statement. */
final class Hold implements AutoCloseable {
    private final Connection connection;

    private Hold(Connection connection) {
        this.connection = connection;
    }

    /** Tasks named while-held do not end before it lets go. */
    static Hold tasks(Database database) {
        return of(database, "select from verify.held for update");
    }

    /** Nobody reads or writes the table before it lets go. */
    static Hold table(Database database, String table) {
        return of(database, "lock table " + table + " in access exclusive mode");
    }

    /** Nothing enters or leaves the outbox before it lets go; it may be read. */
    static Hold outbox(Database database) {
        return of(database, "lock table onbeat.outbox in share row exclusive mode");
    }

    /** No run of the queue changes before it lets go. */
    static Hold runs(Database database, String queue) {
        return of(database, "select from onbeat.run where queue = '" + queue + "' for update");
    }

    /** This run does not change before it lets go. */
    static Hold run(Database database, String id) {
        return of(database, "select from onbeat.run where id = " + id + " for update");
    }

    /** Nothing leaves the outbox before it lets go. Its trigger stays, and hinders nobody after that. */
    static Hold removals(Database database, Books books) {
        books.execute("""
                create function verify.await_leave() returns trigger language plpgsql as $$
                begin perform pg_advisory_xact_lock_shared(1); return null; end $$;
                create trigger await_leave before delete on outbox execute function verify.await_leave()""");
        return of(database, "select pg_advisory_lock(1)");
    }

    private static Hold of(Database database, String sql) {
        try {
            Connection connection =
                    DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
            return new Hold(connection);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    @Override
    public void close() {
        try {
            // who waits for it goes on before this returns: the end of a connection is not waited for
            connection.rollback();
            connection.close();
        } catch (SQLException alreadyGone) {
            throw new IllegalStateException(alreadyGone);
        }
    }
}
