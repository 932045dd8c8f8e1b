package io.onbeat.worker.execute;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.RowFailures;
import io.onbeat.task.Lock;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a task sees of its attempt. */
final class AttemptContext implements TaskContext {
    private final ClaimedRun run;
    private final TaskKit kit;
    private final LedgerTransaction transaction;
    private final Secrets secrets;
    private final BooleanSupplier stopping;
    private final Consumer<Progress> progress;
    private final OnceWork steps;
    private final TaskLocks locks;
    private Optional<JsonNode> args = Optional.empty();

    AttemptContext(
            ClaimedRun run,
            TaskKit kit,
            LedgerTransaction transaction,
            TaskLocks locks,
            Secrets secrets,
            BooleanSupplier stopping,
            Consumer<Progress> progress) {
        this.run = run;
        this.kit = kit;
        this.transaction = transaction;
        this.secrets = secrets;
        this.stopping = stopping;
        this.progress = progress;
        this.steps = new OnceWork(kit.ledger(), kit.namespace(), run, secrets);
        this.locks = locks;
    }

    @Override
    public String runKey() {
        return run.attempt().runKey();
    }

    @Override
    public Optional<String> schedule() {
        return run.schedule();
    }

    @Override
    public Instant fireTime() {
        return run.fireAt();
    }

    @Override
    public int attempt() {
        return run.attempt().number();
    }

    @Override
    public int maxAttempts() {
        return run.maxAttempts();
    }

    @Override
    public synchronized JsonNode args() {
        if (args.isEmpty()) {
            args = Optional.of(Args.read(run.args(), secrets.keeping(kit.environment())));
        }
        // a copy: a task that changes its arguments changes its own
        return args.get().deepCopy();
    }

    @Override
    public <T> T args(Class<T> type) {
        return Args.as(args(), type);
    }

    @Override
    public boolean stopping() {
        return stopping.getAsBoolean();
    }

    @Override
    public String masked(String text) {
        return secrets.mask(text);
    }

    @Override
    public void progress(double fraction, String note) {
        progress.accept(Progress.of(attempt(), fraction, masked(note)));
    }

    @Override
    public Logger logger() {
        return LoggerFactory.getLogger("task." + run.task());
    }

    @Override
    public DataSource dataSource(String name) {
        return kit.dataSources().find(name);
    }

    @Override
    public <T> T transaction(TransactionWork<T> work) throws Exception {
        return transaction.run(work);
    }

    @Override
    public <T> T once(Step step, Class<T> type, StepWork<T> work) throws Exception {
        return steps.atLeastOnce(step, type, work);
    }

    @Override
    public <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) throws Exception {
        return steps.exactlyOnce(connection, step, type, work);
    }

    @Override
    public RowCounts claimRows(Rows rows, RowWork work) throws Exception {
        RowFailures failures = new RowFailures(kit.database(), rows.dataSource() + ":" + rows.table(), runKey());
        return new RowClaims(rows, work, dataSource(rows.dataSource()), FailedRows.of(failures, secrets), stopping)
                .run();
    }

    @Override
    public Lock lock(String name) {
        return locks.named(name);
    }
}
