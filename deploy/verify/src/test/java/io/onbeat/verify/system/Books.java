package io.onbeat.verify.system;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The ledger and the business tables of a test, in SQL; and the ledger's clock, which a test may set. */
public final class Books {
    private final Ledger ledger;

    public Books(Ledger ledger) {
        this.ledger = ledger;
    }

    public Ledger ledger() {
        return ledger;
    }

    /** The ledger's clock goes on from this instant. In seconds: a day is not 24 hours long in every zone. */
    public void setClock(Instant now) {
        execute("""
                do $do$ begin
                    execute format(
                        'create or replace function clock() returns timestamptz language sql stable parallel safe
                             as $$ select statement_timestamp() + make_interval(secs => %%s) $$',
                        extract(epoch from timestamptz '%s' - statement_timestamp()));
                end $do$""".formatted(now));
    }

    /** The ledger's clock goes forward by this much. */
    void turnClock(Duration time) {
        try {
            setClock(ledger.now().plus(time));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public void execute(String sql, Object... parameters) {
        try (Connection connection = ledger.connection()) {
            Sql.update(connection, sql, parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** The first column of every row, as text. */
    public List<String> texts(String sql, Object... parameters) {
        try (Connection connection = ledger.connection()) {
            return Sql.list(connection, sql, row -> row.getString(1), parameters);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    public String text(String sql, Object... parameters) {
        return texts(sql, parameters).get(0);
    }

    public long number(String sql, Object... parameters) {
        return Long.parseLong(text(sql, parameters));
    }

    /** Waits until the query answers true. */
    public void await(Duration atMost, String condition, Object... parameters) {
        org.awaitility.Awaitility.await(condition + " of " + List.of(parameters))
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> "t".equals(text(condition, parameters)));
    }

    public void await(String condition, Object... parameters) {
        await(Duration.ofSeconds(90), condition, parameters);
    }
}
