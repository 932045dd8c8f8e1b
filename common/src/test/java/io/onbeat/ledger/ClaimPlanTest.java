package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.Attempt;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the hot statements read of a ledger that has grown since the planner last knew anything of it. */
class ClaimPlanTest {
    private static final int RUNS = 40_000;
    private static final int BATCH = 250;

    private final TestLedger test = new TestLedger();
    // one connection, so that the server's counts of what it read can be asked for at once
    private final Ledger ledger = Ledger.open(one(test.settings()));

    private static LedgerSettings one(LedgerSettings s) {
        return new LedgerSettings(s.url(), s.user(), s.password(), s.namespace(), 1);
    }

    @BeforeEach
    void grow() throws SQLException {
        test.execute("alter table run set (autovacuum_enabled = false)");
        try (Connection connection = ledger.connection()) {
            Sql.update(connection, """
                    insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, queued_at)
                    select 'run ' || n, 'noop', 'default', 'outside', clock(), 1000, 3, 'queued', clock()
                    from generate_series(1, ?) as n""", RUNS);
        }
    }

    @AfterEach
    void close() {
        ledger.close();
        test.close();
    }

    @Test
    void a_claim_and_a_settle_follow_the_ids_and_never_read_the_whole_table() throws SQLException {
        long before = scans();
        List<Claims.Wish> wishes = LongStream.rangeClosed(RUNS - BATCH + 1, RUNS)
                .mapToObj(id -> new Claims.Wish(new Attempt(id, "run " + id, 1), UUID.randomUUID()))
                .toList();
        List<Settlement> settlements = Claims.claim(ledger, "w1", Duration.ofSeconds(30), wishes).stream()
                .map(result -> Settlement.succeeded(((ClaimResult.Claimed) result).run(), Optional.empty()))
                .toList();
        assertThat(Settlements.settle(ledger, settlements)).hasSize(BATCH);
        assertThat(scans()).isEqualTo(before);
    }

    private long scans() throws SQLException {
        try (Connection connection = ledger.connection()) {
            Sql.list(connection, "select pg_stat_force_next_flush()", row -> "");
            return Sql.one(
                    connection,
                    "select seq_scan from pg_stat_user_tables where relid = 'run'::regclass",
                    row -> row.getLong(1));
        }
    }
}
