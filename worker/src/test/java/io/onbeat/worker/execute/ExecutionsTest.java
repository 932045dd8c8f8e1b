package io.onbeat.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.LedgerRuns;
import io.onbeat.ledger.TestLedger;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecutionsTest {
    private static final Instant NOW = Instant.parse("2026-07-14T02:00:00Z");

    private final TestLedger test = new TestLedger();
    private final LedgerRuns runs = new LedgerRuns(test.ledger());
    private final Executions executions = new Executions(LedgerRuns.LEASE);

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void aLeaseThatIsOverIsNotRenewedByAWorkerThatStoodStill() throws SQLException {
        test.setClock(NOW);
        add("held", LedgerRuns.LEASE);
        add("over", Duration.ofMillis(-1));
        test.advanceClock(Duration.ofSeconds(20));

        executions.renew(test.ledger());

        assertThat(test.texts("select key || ' ' || (lease_until - clock()) from run order by key"))
                .containsExactly("held 00:00:30", "over 00:00:10");
    }

    /** A run that this worker has claimed, and whose lease is over in that time as far as the worker knows. */
    private void add(String key, Duration left) throws SQLException {
        ClaimedRun run = runs.claimed(runs.insert(key).get(0));
        // no message is answered here
        executions.add(new Execution(run, null, System.nanoTime() + left.toNanos(), (execution, outcome) -> {}));
    }
}
