package io.onbeat.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.sql.Connection;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;

/** What one attempt knows of its run, and the tools it may use. Valid until {@link Task#run} returns. */
public interface TaskContext {

    /** The run key, such as {@code settle-points@2026-07-14T02:00:00Z}: the same for every attempt, so a good idempotency key. */
    String runKey();

    /** The schedule that fired; empty for a run that an outside publisher sent. */
    Optional<String> schedule();

    /** The nominal fire time (UTC, second precision): never "now". For a run started by hand, the instant it was asked for. */
    Instant fireTime();

    /** Counts the starts of this run from 1; grows with every start and never repeats. */
    int attempt();

    /** How many failures the run may have before it is dead. */
    int maxAttempts();

    /** The arguments as a JSON tree; an empty object where the schedule names none. {@code ${env:NAME}} is resolved. */
    JsonNode args();

    /**
     * The arguments as a value of {@code type}, read by Jackson.
     *
     * @throws PermanentFailure when they do not fit: another attempt would fail alike
     */
    <T> T args(Class<T> type);

    /** True once the run was cancelled, timed out or lost its lease, or the worker must stop; the thread is interrupted too. */
    boolean stopping();

    /**
     * The text with {@code ***} in place of every value of at least 4 characters that {@code ${env:NAME}} brought into the
     * arguments. The result and the failure of the attempt are masked so without being asked; a text to log is not.
     */
    default String masked(String text) {
        return text;
    }

    /**
     * Tells how far the attempt is, for whoever looks at the run meanwhile ({@code onbeat run KEY}). Call it as often as you
     * like: the newest is written with the next renewal of the run's lease (every 5 s), and needs no write of its own.
     *
     * @param fraction of the work that is done, from 0 to 1
     * @param note for people; 200 characters of it are kept
     */
    default void progress(double fraction, String note) {}

    /** Logs under the task's name, with the run key at hand in the log context. */
    Logger logger();

    /**
     * A named database of the worker's configuration; {@code ledger} is the ledger's own database (its default schema, so
     * that business tables in it need no prefix).
     *
     * @throws PermanentFailure when the worker has none of that name
     */
    DataSource dataSource(String name);

    /**
     * Runs {@code work} and marks the run succeeded in one transaction of the ledger's database, so that its writes happen
     * exactly once: the last statement before the commit succeeds only for the holder of the run's lease. May be called
     * once in an attempt. What {@code work} returns is kept as the run's result.
     *
     * @throws LeaseLost when another owner has taken the run over; everything was rolled back
     */
    <T> T transaction(TransactionWork<T> work) throws Exception;

    /**
     * Does a step once: where the ledger has its finish on record, the work is not run, and its kept result is returned.
     *
     * <p>The start and the finish are both on record, so the step runs <em>at least</em> once: a worker that dies after the
     * work and before the finish leaves a start without a finish, and the next attempt runs the work again, with a {@code
     * start} above 1. Where another live run is at the same step, this waits for it. For exactly once, see {@link
     * #once(Connection, Step, Class, TransactionWork)}.
     *
     * @param type of the result, which is kept as JSON (64 KB at most)
     * @return what the work returned, this time or when it was done
     * @throws LeaseLost when another owner has taken the step over before its finish was on record
     */
    <T> T once(Step step, Class<T> type, StepWork<T> work) throws Exception;

    /**
     * Does a step exactly once, together with what else is written through {@code connection}: the record of the step is part
     * of that transaction. For {@link #transaction}'s connection, or one of {@code dataSource("ledger")} without auto-commit.
     *
     * @return what the work returned, this time or when it was done
     * @throws RetryLater where another live run is at the same step outside of a transaction
     */
    <T> T once(Connection connection, Step step, Class<T> type, TransactionWork<T> work) throws Exception;

    /**
     * Works off the rows of a table that have a status, until none is left that nobody else has.
     *
     * <p>Each batch is one transaction, which claims rows with {@code for no key update skip locked}, works each off behind
     * a savepoint, moves its status, and commits: it locks only the rows that it commits. Runs side by side share the rows;
     * after a crash the rows of the open batch are as they were. So the writes through the work's connection happen exactly
     * once for each row; what the work does elsewhere may happen again.
     *
     * <p>A row whose work throws stays as it was, with its failure on record (the ledger's {@code row_failure}); the others
     * go on. The next attempt tries it again, until it has failed {@code maxFailures} times.
     */
    RowCounts claimRows(Rows rows, RowWork work) throws Exception;

    /** A lock by that name, not yet acquired. */
    Lock lock(String name);
}
