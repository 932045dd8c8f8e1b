package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.onbeat.lock.Locks;
import io.onbeat.task.Lock;
import io.onbeat.task.RowCounts;
import io.onbeat.task.RowWork;
import io.onbeat.task.Rows;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** What a worker does around the code of a task, for one attempt without a worker: a test's. */
public final class AttemptRules implements AutoCloseable {
    private final Secrets secrets = new Secrets();
    private final UnaryOperator<String> environment;
    private final TaskLocks locks;

    /**
     * @param environment a variable's value by name, null where it is not set
     * @param lockLost called when a lock was lost before it was closed
     */
    public AttemptRules(UnaryOperator<String> environment, Locks locks, String runKey, Runnable lockLost) {
        this.environment = secrets.keeping(environment);
        this.locks = new TaskLocks(locks, runKey, name -> lockLost.run());
    }

    /** With <code>${env:NAME}</code> resolved. */
    public JsonNode args(String json) {
        return Args.read(json, environment);
    }

    public <T> T args(JsonNode args, Class<T> type) {
        return Args.as(args, type);
    }

    public String masked(String text) {
        return secrets.mask(text);
    }

    /** What the ledger would keep of it: within the limit, and without secrets. */
    public JsonNode kept(Object result) throws JsonProcessingException {
        Optional<String> json = Results.json(result, secrets);
        return json.isPresent() ? TaskJson.MAPPER.readTree(json.get()) : NullNode.instance;
    }

    /** What was kept, as a value again; null for nothing. */
    public static <T> T read(JsonNode kept, Class<T> type) throws JsonProcessingException {
        return TaskJson.MAPPER.treeToValue(kept, type);
    }

    public RowCounts claimRows(
            Rows rows, RowWork work, DataSource source, FailedRows failures, BooleanSupplier stopping)
            throws Exception {
        return new RowClaims(rows, work, source, failures, stopping).run();
    }

    /** For the work of a transaction, which only its owner ends. */
    public Connection guarded(Connection connection) {
        return GuardedConnection.of(connection);
    }

    public Lock lock(String name) {
        return locks.named(name);
    }

    /** Lets go of the locks that the attempt still holds. */
    @Override
    public void close() {
        locks.close();
    }
}
