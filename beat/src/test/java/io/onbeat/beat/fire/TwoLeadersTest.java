package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.TestLedger;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A beat that stood still does not notice that its term is over: not by its own clock, and not before its next renewal. */
class TwoLeadersTest {
    private static final String YAML = """
            schedules:
              s: {cron: "* * * * *", task: noop, overlap: allow, catch_up: none, misfire_grace: 1s}
            """;

    private final TestLedger ledger = new TestLedger();
    private final AtomicLong nanos = new AtomicLong();

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void who_fires_after_its_term_has_ended_writes_nothing_and_stands_by() throws SQLException {
        ledger.setClock(Instant.parse("2026-07-14T09:00:30Z"));
        FireLoop frozen = new FireLoop(
                ledger.ledger(), "frozen", Duration.ofSeconds(10), Duration.ofDays(1), entry -> {}, nanos::get);
        frozen.submit(HandDrivenBeat.parsed(YAML));
        frozen.pass();
        ledger.advanceClock(Duration.ofMinutes(3));
        nanos.addAndGet(Duration.ofMinutes(3).toNanos());

        new HandDrivenBeat(ledger, "other").with(YAML).pass();
        FireLoop.Pass late = frozen.pass();

        assertThat(ledger.texts("select first || ' ' || count from skip")).containsExactly("2026-07-14 09:01:00+00 3");
        assertThat(late).isEqualTo(FireLoop.Pass.STANDBY);
        assertThat(frozen.leading()).isFalse();
    }
}
