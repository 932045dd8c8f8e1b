package io.onbeat.verify.bench;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** The ledger as a benchmark looks at it: asks, and waits for a sign of what it waits for. */
record BenchLedger(Ledger ledger, OnbeatProcesses processes) {
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @FunctionalInterface
    interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    <T> T ask(Question<T> question) {
        try (Connection connection = ledger.connection()) {
            return question.ask(connection);
        } catch (SQLException failed) {
            throw new BenchFailure("the ledger does not answer: " + failed.getMessage(), failed);
        }
    }

    long count(String sql, Object... parameters) {
        return ask(connection -> Sql.one(connection, sql, row -> row.getLong(1), parameters));
    }

    /** @throws BenchFailure when it does not come, or a process of Onbeat ends meanwhile */
    void await(String what, Question<Boolean> sign) {
        await(what, LOOK_EVERY, sign);
    }

    void await(String what, Duration lookEvery, Question<Boolean> sign) {
        long until = System.nanoTime() + LIMIT.toNanos();
        while (!ask(sign)) {
            processes.checkAlive();
            if (System.nanoTime() - until >= 0) {
                throw new BenchFailure("waited " + LIMIT.toSeconds() + " s in vain until " + what);
            }
            pause(lookEvery);
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis(), time.toNanosPart() % 1_000_000);
        } catch (InterruptedException stopped) {
            throw new BenchFailure("interrupted", stopped);
        }
    }
}
