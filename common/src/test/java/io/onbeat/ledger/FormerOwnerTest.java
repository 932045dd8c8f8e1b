package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.RunState;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has lost a run's lease changes nothing of it while its next owner is at work. */
class FormerOwnerTest {
    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final LedgerRuns runs = new LedgerRuns(ledger);
    private ClaimedRun former;
    private ClaimedRun present;

    @BeforeEach
    void takeOver() throws SQLException {
        test.setClock(Instant.parse("2026-07-14T12:00:00Z"));
        former = runs.claimed(runs.insert("a").get(0));
        test.advanceClock(LedgerRuns.LEASE.plusSeconds(1));
        ledger.transaction(connection -> Recovery.endLapsedLeases(connection, 1));
        present = runs.claimed(LedgerRuns.next(former.attempt()));
    }

    @AfterEach
    void close() {
        test.close();
    }

    private void assertThePresentOwnerHasIt() throws SQLException {
        assertThat(test.texts("select concat_ws(' ', state, attempt, failures) from run"))
                .containsExactly("running 2 1");
        assertThat(Settlements.settle(ledger, List.of(Settlement.succeeded(present, Optional.empty()))))
                .containsValue(RunState.SUCCEEDED);
    }

    @Test
    void its_success_is_refused() throws SQLException {
        assertThat(Settlements.settle(ledger, List.of(Settlement.succeeded(former, Optional.empty()))))
                .isEmpty();
        assertThePresentOwnerHasIt();
    }

    @Test
    void its_failure_is_refused_and_not_on_record() throws SQLException {
        Settlement failed =
                Settlement.retrying(former, LedgerRuns.failure("late"), Duration.ofSeconds(1), Duration.ofSeconds(1));
        assertThat(Settlements.settle(ledger, List.of(failed))).isEmpty();
        assertThat(test.texts("select attempt || ' ' || outcome from attempt")).containsExactly("1 lost");
        assertThePresentOwnerHasIt();
    }

    @Test
    void its_own_transaction_is_refused() throws SQLException {
        boolean succeeded =
                ledger.transaction(connection -> Leases.succeed(connection, ledger.namespace(), former, null));
        assertThat(succeeded).isFalse();
        assertThePresentOwnerHasIt();
    }

    @Test
    void it_renews_nothing() throws SQLException {
        String until = test.texts("select lease_until from run").get(0);
        test.advanceClock(Duration.ofSeconds(1));
        Map<Long, Leases.Renewal> renewals =
                Leases.renew(ledger, LedgerRuns.LEASE, Map.of(former.attempt().runId(), former.token()));
        assertThat(renewals).containsValue(Leases.Renewal.LOST);
        assertThat(test.texts("select lease_until from run")).containsExactly(until);
        assertThePresentOwnerHasIt();
    }
}
