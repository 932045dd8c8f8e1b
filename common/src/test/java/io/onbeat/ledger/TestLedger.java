package io.onbeat.ledger;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** A ledger in a fresh database of the real server, whose clock a test may stop and turn by hand. */
public final class TestLedger implements AutoCloseable {
    private final Database database = TestServices.freshDatabase();
    private final LedgerSettings settings =
            new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 8);
    private final Ledger ledger = Ledger.open(settings);

    public TestLedger() {
        ledger.migrate();
    }

    public Ledger ledger() {
        return ledger;
    }

    public LedgerSettings settings() {
        return settings;
    }

    /** Stops the ledger's clock at this instant. */
    public void setClock(Instant now) {
        execute("""
                create or replace function clock() returns timestamptz language sql stable parallel safe
                as $$ select timestamptz '%s' $$""".formatted(now));
    }

    /** Turns the stopped clock. */
    public void advanceClock(Duration by) {
        setClock(now().plus(by));
    }

    /** Lets the clock run again with the database's own. */
    public void freeClock() {
        execute("create or replace function clock() returns timestamptz language sql stable parallel safe"
                + " as $$ select statement_timestamp() $$");
    }

    public Instant now() {
        try {
            return ledger.now();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** What a newer version may have done to the schema: only what this one can do without. */
    public void addMigrationsOfTheFuture() {
        for (String table :
                new String[] {"schedule", "run", "attempt", "skip", "outbox", "worker", "leader", "audit"}) {
            execute("alter table " + table + " add column of_the_future int not null default 7");
        }
        execute("create table of_the_future (run_id bigint)");
        execute("""
                insert into flyway_schema_history
                    (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                values (999, '999', 'of the future', 'SQL', 'V999__of_the_future.sql', 4711, current_user, 1, true)""");
    }

    public void execute(String sql, Object... parameters) {
        try (Connection connection = ledger.connection()) {
            Sql.update(connection, sql, parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** The first column of every row, as text. */
    public java.util.List<String> texts(String sql, Object... parameters) {
        try (Connection connection = ledger.connection()) {
            return Sql.list(connection, sql, row -> row.getString(1), parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    public long number(String sql, Object... parameters) {
        return Long.parseLong(texts(sql, parameters).get(0));
    }

    @Override
    public void close() {
        ledger.close();
        TestServices.dropDatabase(database);
    }
}
