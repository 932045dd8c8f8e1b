package io.onbeat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onbeat.task.Lock;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RowCounts;
import io.onbeat.task.RowWork;
import io.onbeat.task.Rows;
import io.onbeat.task.Step;
import io.onbeat.task.StepWork;
import io.onbeat.task.TaskContext;
import io.onbeat.task.TransactionWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One attempt of a run as a test wants it. Its transactions are real ones, fenced by nothing. */
record TestRun(String runKey, Instant fireTime, int attempt, JsonNode args, DataSource ledger) implements TaskContext {
    private static final ObjectMapper JSON = new ObjectMapper();

    static TestRun of(String schedule, Instant fireTime, String args, DataSource ledger) {
        try {
            return new TestRun(schedule + "@" + fireTime, fireTime, 1, JSON.readTree(args), ledger);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    TestRun withRunKey(String key) {
        return new TestRun(key, fireTime, attempt, args, ledger);
    }

    TestRun withAttempt(int number) {
        return new TestRun(runKey, fireTime, number, args, ledger);
    }

    @Override
    public Optional<String> schedule() {
        return Optional.of(runKey.replaceFirst("@.*", ""));
    }

    @Override
    public int maxAttempts() {
        return 4;
    }

    @Override
    public <T> T args(Class<T> type) {
        try {
            return JSON.convertValue(args, type);
        } catch (IllegalArgumentException e) {
            throw new PermanentFailure("the arguments do not fit: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean stopping() {
        return Thread.currentThread().isInterrupted();
    }

    @Override
    public Logger logger() {
        return LoggerFactory.getLogger("task");
    }

    @Override
    public DataSource dataSource(String name) {
        return ledger;
    }

    @Override
    public <T> T transaction(TransactionWork<T> work) throws Exception {
        try (Connection connection = ledger.getConnection()) {
            connection.setAutoCommit(false);
            T result = work.run(connection);
            connection.commit();
            return result;
        }
    }

    @Override
    public <T> T once(Step step, Class<T> type, StepWork<T> work) {
        throw new UnsupportedOperationException("no example has steps");
    }

    @Override
    public <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) {
        throw new UnsupportedOperationException("no example has steps");
    }

    @Override
    public RowCounts claimRows(Rows rows, RowWork work) {
        throw new UnsupportedOperationException("no rows here");
    }

    @Override
    public Lock lock(String name) {
        throw new UnsupportedOperationException("no example locks");
    }
}
