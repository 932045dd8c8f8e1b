package io.onbeat.task.builtin;

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
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;

/** A run as a test wants it. Its transactions are real ones, fenced by nothing. */
record TestContext(
        JsonNode args,
        String runKey,
        Optional<String> schedule,
        int attempt,
        Map<String, DataSource> databases,
        Logger logger)
        implements TaskContext {
    static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:00:00Z");

    private static final ObjectMapper JSON = new ObjectMapper();

    static TestContext of(String args) {
        return new TestContext(
                json(args), "nightly@" + FIRE_TIME, Optional.of("nightly"), 2, Map.of(), new RecordingLogger());
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String json(Object value) {
        return JSON.valueToTree(value).toString();
    }

    TestContext withRunKey(String key) {
        return new TestContext(args, key, schedule, attempt, databases, logger);
    }

    TestContext with(Logger other) {
        return new TestContext(args, runKey, schedule, attempt, databases, other);
    }

    TestContext with(Map<String, DataSource> sources) {
        return new TestContext(args, runKey, schedule, attempt, sources, logger);
    }

    @Override
    public Instant fireTime() {
        return FIRE_TIME;
    }

    @Override
    public int maxAttempts() {
        return 4;
    }

    @Override
    public <T> T args(Class<T> type) {
        return JSON.convertValue(args, type);
    }

    @Override
    public boolean stopping() {
        return Thread.currentThread().isInterrupted();
    }

    @Override
    public DataSource dataSource(String name) {
        return Optional.ofNullable(databases.get(name))
                .orElseThrow(() -> new PermanentFailure("there is no data source \"" + name + "\""));
    }

    @Override
    public <T> T transaction(TransactionWork<T> work) throws Exception {
        try (Connection connection = dataSource("ledger").getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } finally {
                connection.rollback();
            }
        }
    }

    @Override
    public <T> T once(Step step, Class<T> type, StepWork<T> work) {
        throw new UnsupportedOperationException("no built-in task has steps");
    }

    @Override
    public <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) {
        throw new UnsupportedOperationException("no built-in task has steps");
    }

    @Override
    public RowCounts claimRows(Rows rows, RowWork work) {
        throw new UnsupportedOperationException("no rows here");
    }

    @Override
    public Lock lock(String name) {
        throw new UnsupportedOperationException("no built-in task locks");
    }
}
