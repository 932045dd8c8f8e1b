package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.RunNow.Outcome;
import io.onbeat.ledger.TestLedger;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunNowTest {
    private final TestLedger ledger = new TestLedger();
    private final RunNow runNow = new RunNow(ledger.ledger());

    @BeforeEach
    void load() {
        ledger.setClock(Instant.parse("2026-07-14T12:00:00Z"));
        new HandDrivenBeat(ledger, "a").with("""
                        schedules:
                          daily: {cron: "0 0 * * *", task: noop, unique_by: day, timezone: Asia/Shanghai}
                          sync: {every: 1h, task: noop, args: {n: 1}}
                        """).pass();
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private Outcome trigger(String name, String key) throws SQLException {
        return runNow.trigger(name, Optional.empty(), Optional.ofNullable(key), "test");
    }

    @Test
    void a_run_by_hand_has_a_key_of_its_own_and_waits_in_the_outbox() throws SQLException {
        Outcome outcome = runNow.trigger("sync", Optional.of("{\"n\":2}"), Optional.of("order-7"), "test");
        assertThat(outcome).isEqualTo(new Outcome.Queued("sync@manual:order-7"));
        assertThat(ledger.texts("select concat_ws(' ', origin, state, args, fire_at = clock()) from run"))
                .containsExactly("manual queued {\"n\":2} t");
        assertThat(ledger.number("select count(*) from outbox")).isEqualTo(1);
        assertThat(ledger.texts("select actor || ' ' || action || ' ' || target from audit"))
                .containsExactly("test trigger sync@manual:order-7");
    }

    @Test
    void the_same_idempotency_key_starts_one_run() throws SQLException {
        trigger("sync", "k");
        assertThat(trigger("sync", "k"))
                .isInstanceOfSatisfying(
                        Outcome.AlreadyThere.class,
                        there -> assertThat(there.run().key()).isEqualTo("sync@manual:k"));
        assertThat(ledger.number("select count(*) from run")).isEqualTo(1);
    }

    @Test
    void under_unique_by_the_period_is_the_key_and_it_runs_once_a_period() throws SQLException {
        assertThat(trigger("daily", null)).isEqualTo(new Outcome.Queued("daily@2026-07-14"));
        assertThat(trigger("daily", null)).isInstanceOf(Outcome.AlreadyThere.class);
        assertThat(trigger("daily", "k")).isEqualTo(new Outcome.KeyNotAllowed("DAY"));
        ledger.execute("update run set state = 'succeeded', open = false");
        ledger.setClock(Instant.parse("2026-07-14T16:00:00Z"));
        assertThat(trigger("daily", null)).isEqualTo(new Outcome.Queued("daily@2026-07-15"));
    }

    @Test
    void an_active_run_is_not_overlapped_where_the_schedule_forbids_it() throws SQLException {
        trigger("sync", "first");
        assertThat(trigger("sync", "second")).isEqualTo(new Outcome.Overlapping("sync@manual:first"));
        ledger.execute("update run set state = 'dead', open = false");
        assertThat(trigger("sync", "second")).isInstanceOf(Outcome.Queued.class);
    }

    @Test
    void an_unknown_schedule_is_answered_with_those_there_are() throws SQLException {
        assertThat(trigger("dayly", null)).isEqualTo(new Outcome.NoSuchSchedule("dayly", List.of("daily", "sync")));
    }
}
