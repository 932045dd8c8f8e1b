package io.onbeat.worker.retry;

import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ledger for those who cannot go on without its answer: asks until it comes, and knows since when it does not. */
public final class PatientLedger {
    private static final Logger log = LoggerFactory.getLogger(PatientLedger.class);
    // SQLSTATE classes: data exception, integrity violation, program limit exceeded
    private static final Set<String> REFUSALS = Set.of("22", "23", "54");

    private final Ledger ledger;
    private final Duration longestPause;
    private volatile String problem = "";

    /** @param longestPause between two tries: below the lease, so that what was claimed is not lost in one */
    public PatientLedger(Ledger ledger, Duration longestPause) {
        this.ledger = ledger;
        this.longestPause = longestPause;
    }

    /** One question to the ledger; it is asked again until there is an answer, so the answer must be the same then. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Ledger ledger) throws SQLException;
    }

    /**
     * Asks until there is an answer.
     *
     * @throws InterruptedException when the thread was told to give up
     * @throws LedgerRefused when the ledger cannot take the values
     */
    public <T> T ask(String what, Question<T> question) throws InterruptedException, LedgerRefused {
        GrowingDelay delay = GrowingDelay.forStatements(longestPause);
        while (true) {
            try {
                return once(what, question);
            } catch (SQLException failed) {
                if (isRefusal(failed)) {
                    throw new LedgerRefused(failed);
                }
                pause(delay.next());
            } catch (RuntimeException unexpected) {
                throw new LedgerRefused(unexpected);
            }
        }
    }

    /** Asks once, and remembers whether there was an answer. */
    public <T> T once(String what, Question<T> question) throws SQLException {
        try {
            T answer = question.ask(ledger);
            if (!problem.isEmpty()) {
                problem = "";
                log.info("the ledger answers again");
            }
            return answer;
        } catch (SQLException failed) {
            if (!isRefusal(failed)) {
                remember(what, reason(failed));
            }
            throw failed;
        }
    }

    // claims, settles and renewals fail together: one line says it for all
    private synchronized void remember(String what, String reason) {
        if (!problem.equals(reason)) {
            problem = reason;
            log.warn("the ledger does not answer: cannot {}: {}; trying again", what, reason);
        }
    }

    private static boolean isRefusal(SQLException failed) {
        String state = failed.getSQLState();
        return state != null && state.length() == 5 && REFUSALS.contains(state.substring(0, 2));
    }

    /** Why the ledger did not answer the last time. */
    public Optional<String> problem() {
        return Optional.of(problem).filter(reason -> !reason.isEmpty()).map(reason -> "the ledger: " + reason);
    }

    private static void pause(Duration delay) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }

    // the pool's own message only says that it waited
    private static String reason(SQLException failed) {
        Throwable cause = failed;
        while (cause.getCause() instanceof SQLException deeper) {
            cause = deeper;
        }
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }
}
