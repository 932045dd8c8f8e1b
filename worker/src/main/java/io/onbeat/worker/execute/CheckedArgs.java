package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.Lock;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RowCounts;
import io.onbeat.task.RowWork;
import io.onbeat.task.Rows;
import io.onbeat.task.Step;
import io.onbeat.task.StepWork;
import io.onbeat.task.TaskContext;
import io.onbeat.task.TransactionWork;
import java.sql.Connection;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task sees while a schedule's arguments are checked: these, and no run. */
record CheckedArgs(String task, String name, JsonNode args) implements TaskContext {

    @Override
    public String runKey() {
        return name + "@" + fireTime();
    }

    @Override
    public Optional<String> schedule() {
        return Optional.of(name);
    }

    @Override
    public Instant fireTime() {
        return Instant.EPOCH;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public int maxAttempts() {
        return 1;
    }

    @Override
    public <T> T args(Class<T> type) {
        try {
            return TaskJson.MAPPER.treeToValue(args, type);
        } catch (JsonProcessingException | IllegalArgumentException unfit) {
            // these stand in a file that its author looks at: their values may be told
            throw new PermanentFailure(Unfit.explain(unfit, args));
        }
    }

    @Override
    public boolean stopping() {
        return false;
    }

    @Override
    public Logger logger() {
        return LoggerFactory.getLogger("task." + task);
    }

    @Override
    public DataSource dataSource(String source) {
        throw noRun();
    }

    @Override
    public <T> T transaction(TransactionWork<T> work) {
        throw noRun();
    }

    @Override
    public <T> T once(Step step, Class<T> type, StepWork<T> work) {
        throw noRun();
    }

    @Override
    public <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) {
        throw noRun();
    }

    @Override
    public RowCounts claimRows(Rows rows, RowWork work) {
        throw noRun();
    }

    @Override
    public Lock lock(String lock) {
        throw noRun();
    }

    private static UnsupportedOperationException noRun() {
        return new UnsupportedOperationException("arguments are checked without a run: only they can be looked at");
    }
}
