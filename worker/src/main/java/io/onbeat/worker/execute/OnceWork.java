package io.onbeat.worker.execute;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.OnceSteps;
import io.onbeat.ledger.OnceSteps.Begun;
import io.onbeat.task.LeaseLost;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Step;
import io.onbeat.task.StepWork;
import io.onbeat.task.TransactionWork;
import io.onbeat.worker.retry.LedgerRefused;
import io.onbeat.worker.retry.PatientLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An attempt's once-steps. */
final class OnceWork {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
    private static final Duration BUSY = Duration.ofSeconds(5);

    private final PatientLedger ledger;
    private final OnceSteps steps;
    private final ClaimedRun run;
    private final Secrets secrets;

    OnceWork(PatientLedger ledger, String schema, ClaimedRun run, Secrets secrets) {
        this.ledger = ledger;
        this.steps = new OnceSteps(schema);
        this.run = run;
        this.secrets = secrets;
    }

    /** Start and finish are transactions of their own, before and after the work. */
    <T> T atLeastOnce(Step step, Class<T> type, StepWork<T> work) throws Exception {
        String key = key(step);
        Begun begun = ask(connection -> begin(connection, key));
        while (begun instanceof Begun.Busy) {
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
            begun = ask(connection -> begin(connection, key));
        }
        if (begun instanceof Begun.Finished finished) {
            return read(finished.result(), type);
        }
        T value = work.run(((Begun.Started) begun).start());
        Optional<String> result = Results.json(value, secrets);
        if (!ask(connection -> steps.finish(connection, key, run.token(), result))) {
            throw lost();
        }
        return value;
    }

    /** Start, work and finish are part of the caller's transaction: another's step under this key waits for its end. */
    <T> T exactlyOnce(Connection connection, Step step, Class<T> type, TransactionWork<T> work) throws Exception {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("once needs a transaction, and this connection commits each statement:"
                    + " switch its auto-commit off, or use context.transaction");
        }
        String key = key(step);
        Begun begun = begin(connection, key);
        if (begun instanceof Begun.Finished finished) {
            return read(finished.result(), type);
        }
        if (begun instanceof Begun.Busy busy) {
            throw new RetryLater(BUSY, "step '" + step.name() + "' is being done by " + busy.runKey());
        }
        T value = work.run(connection);
        if (!steps.finish(connection, key, run.token(), Results.json(value, secrets))) {
            throw lost();
        }
        return value;
    }

    private Begun begin(Connection connection, String key) throws SQLException {
        return steps.begin(connection, key, run.attempt().runKey(), run.token(), Optional.empty());
    }

    private <T> T ask(Ledger.SqlWork<T> question) throws InterruptedException, LedgerRefused {
        return ledger.ask("keep a step's record", database -> {
            try (Connection connection = database.connection()) {
                return question.run(connection);
            }
        });
    }

    private String key(Step step) {
        return switch (step.scope()) {
            case RUN -> "run:" + run.attempt().runKey() + "#" + step.name();
            case TASK -> "task:" + run.task() + "#" + step.name();
        };
    }

    private LeaseLost lost() {
        return new LeaseLost(run.attempt().runKey(), run.attempt().number());
    }

    private static <T> T read(Optional<String> json, Class<T> type) throws Exception {
        return json.isPresent() ? TaskJson.MAPPER.readValue(json.get(), type) : null;
    }
}
