package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final Instant END = Instant.parse("2026-07-15T00:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    private final TestLedger test = new TestLedger();

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void b36_a_day_of_ten_runs_a_second_is_kept_for_an_hour_and_no_longer() throws SQLException {
        ended(864_000, 10);
        test.execute("update run set state = 'running', open = true, finished_at = null where key = 's@7'");
        assertThat(deleted()).isEqualTo(864_000 - 36_000 - 2);
        assertThat(test.texts("select key from run order by id limit 2")).containsExactly("s@7", "s@828000");
    }

    @Test
    void runs_that_stay_open_hold_up_none_that_ended_after_them() throws SQLException {
        ended(7_200, 1);
        test.execute("update run set state = 'queued', open = true, finished_at = null where id <= 2000");
        assertThat(deleted()).isEqualTo(7_200 - 3_600 - 2_000 - 1);
        assertThat(test.number("select count(*) from run where open")).isEqualTo(2_000);
    }

    @Test
    void the_steps_of_a_run_go_with_it_and_those_of_a_task_after_a_year() throws SQLException {
        ended(7_200, 1);
        test.execute("""
                insert into once (key, run_key, holder, started_at, finished_at)
                select key, 's@1', gen_random_uuid(), clock() - age, clock() - age
                from (values ('run:s@1#mail', interval '2 h'), ('run:s@10#mail', '2 h'), ('run:s@7200#mail', '0 h'),
                             ('task:bill#1', '364 days'), ('task:bill#0', '367 days')) as steps (key, age)""");
        deleted();
        test.ledger().transaction(c -> {
            Retention.deleteRest(c, HOUR);
            return true;
        });
        assertThat(test.texts("select key from once order by key")).containsExactly("run:s@7200#mail", "task:bill#1");
    }

    private int deleted() throws SQLException {
        int deleted = 0;
        Optional<Long> after = Optional.of(0L);
        while (after.isPresent()) {
            long from = after.get();
            Retention.Step step = test.ledger().transaction(c -> Retention.deleteRuns(c, HOUR, from, 1_000));
            deleted += step.deleted();
            after = step.after();
        }
        return deleted;
    }

    /** Runs that ended as soon as they were due, up to now. */
    private void ended(int runs, int perSecond) {
        test.setClock(END);
        // a statement that takes longer than the ledger's answer may is given up, and this machine may be busy
        for (int first = 1; first <= runs; first += 50_000) {
            ended(runs, perSecond, first, Math.min(runs, first + 49_999));
        }
    }

    private void ended(int runs, int perSecond, int first, int last) {
        test.execute("""
                insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, open, queued_at, finished_at)
                select 's@' || i, 'noop', 'default', 'schedule', at, 1000, 1, 'succeeded', false, at, at
                from (select i, clock() - (? - i) * interval '1 s' / ? as at from generate_series(?, ?) as i) as fires""", runs, perSecond, first, last);
    }
}
