package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.LedgerRuns;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.TestLedger;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxBellTest {
    private static final String LISTENERS =
            "from pg_stat_activity where query like 'listen%' and datname = current_database()";

    private final TestLedger test = new TestLedger();
    private final List<Long> ids = new LedgerRuns(test.ledger())
            .insert("a").stream().map(attempt -> attempt.runId()).toList();
    private final Semaphore rung = new Semaphore(0);
    private final OutboxBell bell = new OutboxBell(test.ledger().settings(), rung::release);

    OutboxBellTest() throws Exception {}

    @BeforeEach
    void start() throws InterruptedException {
        bell.start();
        // what was written before it listened is looked for, too
        heard();
    }

    @AfterEach
    void close() {
        bell.close();
        test.close();
    }

    private void heard() throws InterruptedException {
        assertThat(rung.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    private void add() throws Exception {
        test.ledger().transaction(connection -> {
            Outbox.add(connection, Outbox.Kind.TASK, ids);
            return null;
        });
    }

    @Test
    void it_rings_when_an_entry_is_committed_and_not_for_one_that_is_rolled_back() throws Exception {
        try {
            test.ledger().transaction(connection -> {
                Outbox.add(connection, Outbox.Kind.TASK, ids);
                throw new IllegalStateException("rolled back");
            });
        } catch (IllegalStateException rolledBack) {
            assertThat(rung.availablePermits()).isZero();
        }
        add();
        heard();
    }

    @Test
    void it_rings_again_after_its_connection_was_cut() throws Exception {
        await().until(() -> test.number("select count(*) " + LISTENERS) == 1);
        test.number("select count(pg_terminate_backend(pid)) " + LISTENERS);
        heard();
        add();
        heard();
    }

    @Test
    void an_entry_that_its_writer_publishes_itself_rings_for_nobody() throws Exception {
        test.ledger()
                .transaction(connection -> Outbox.add(connection, Outbox.Kind.TASK, ids, Relay.HANDED_OVER_WITHIN));
        add();
        heard();
        assertThat(rung.availablePermits()).isZero();
    }
}
