package io.onbeat.task.test;

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
import io.onbeat.worker.execute.AttemptRules;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.slf4j.Logger;

/** What the task sees of its attempt. Its transactions are real ones, fenced by nothing. */
final class AttemptUnderTest implements TaskContext, AutoCloseable {
    private static final String LEDGER = "ledger";

    private final Facts facts;
    private final Map<String, DataSource> databases;
    private final Logger logger;
    private final Memory memory;
    private final AttemptRules rules;
    private Optional<JsonNode> args = Optional.empty();
    private boolean transactionUsed;
    private Optional<TaskOutcome> committed = Optional.empty();

    record Facts(
            String task,
            String runKey,
            Optional<String> schedule,
            Instant fireTime,
            int attempt,
            int maxAttempts,
            String args,
            boolean stopping) {}

    AttemptUnderTest(
            Facts facts,
            UnaryOperator<String> environment,
            Map<String, DataSource> databases,
            Logger logger,
            Memory memory) {
        this.facts = facts;
        this.databases = databases;
        this.logger = logger;
        this.memory = memory;
        this.rules = new AttemptRules(environment, memory.locks(), facts.runKey(), Thread.currentThread()::interrupt);
    }

    /** The outcome that the commit of its transaction has settled, whatever comes after. */
    Optional<TaskOutcome> committed() {
        return committed;
    }

    TaskOutcome succeeded(Object result) throws JsonProcessingException {
        return committed.isPresent() ? committed.get() : new TaskOutcome.Succeeded(rules.kept(result));
    }

    @Override
    public void close() {
        rules.close();
    }

    @Override
    public String runKey() {
        return facts.runKey();
    }

    @Override
    public Optional<String> schedule() {
        return facts.schedule();
    }

    @Override
    public Instant fireTime() {
        return facts.fireTime();
    }

    @Override
    public int attempt() {
        return facts.attempt();
    }

    @Override
    public int maxAttempts() {
        return facts.maxAttempts();
    }

    @Override
    public synchronized JsonNode args() {
        if (args.isEmpty()) {
            args = Optional.of(rules.args(facts.args()));
        }
        return args.get().deepCopy();
    }

    @Override
    public <T> T args(Class<T> type) {
        return rules.args(args(), type);
    }

    @Override
    public boolean stopping() {
        return facts.stopping() || Thread.currentThread().isInterrupted();
    }

    @Override
    public String masked(String text) {
        return rules.masked(text);
    }

    @Override
    public Logger logger() {
        return logger;
    }

    @Override
    public DataSource dataSource(String name) {
        return Optional.ofNullable(databases.get(name))
                .orElseThrow(() -> new PermanentFailure("this test has no data source '" + name + "'; it has "
                        + new TreeSet<>(databases.keySet()) + ": give it one with TaskTest."
                        + (name.equals(LEDGER) ? "ledger(…)" : "dataSource(\"" + name + "\", …)")));
    }

    @Override
    public <T> T transaction(TransactionWork<T> work) throws Exception {
        begin();
        try (Connection connection = dataSource(LEDGER).getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(rules.guarded(connection));
                TaskOutcome outcome = new TaskOutcome.Succeeded(rules.kept(result));
                connection.commit();
                committed = Optional.of(outcome);
                return result;
            } catch (Exception | Error failure) {
                rollback(connection, failure);
                throw failure;
            }
        }
    }

    private synchronized void begin() {
        if (transactionUsed) {
            throw new IllegalStateException("transaction may be called once in an attempt");
        }
        transactionUsed = true;
    }

    private static void rollback(Connection connection, Throwable failure) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            failure.addSuppressed(broken);
        }
    }

    @Override
    public <T> T once(Step step, Class<T> type, StepWork<T> work) throws Exception {
        return memory.steps().once(key(step), type, work, rules);
    }

    @Override
    public <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) throws Exception {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("once needs a transaction, and this connection commits each statement:"
                    + " switch its auto-commit off, or use context.transaction");
        }
        return memory.stepsIn(dataSource(LEDGER)).once(connection, key(step), type, work, rules);
    }

    @Override
    public RowCounts claimRows(Rows rows, RowWork work) throws Exception {
        return rules.claimRows(
                rows,
                work,
                dataSource(rows.dataSource()),
                memory.failedRows(rows.dataSource() + ":" + rows.table()),
                this::stopping);
    }

    @Override
    public Lock lock(String name) {
        return rules.lock(name);
    }

    private String key(Step step) {
        return switch (step.scope()) {
            case RUN -> "run:" + facts.runKey() + "#" + step.name();
            case TASK -> "task:" + facts.task() + "#" + step.name();
        };
    }
}
