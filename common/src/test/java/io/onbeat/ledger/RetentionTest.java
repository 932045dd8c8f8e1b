package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetentionTest {
    @Test
    void b36_a_day_of_a_run_a_second_is_kept_for_an_hour_and_no_longer() throws SQLException {
        try (TestLedger test = new TestLedger()) {
            Instant end = Instant.parse("2026-07-15T00:00:00Z");
            test.setClock(end);
            test.execute("""
                    insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, open, queued_at, finished_at)
                    select 's@' || i, 'noop', 'default', 'schedule', at, 1000, 1, 'succeeded', false, at, at
                    from (select i, timestamptz '2026-07-14T00:00:00Z' + i * interval '1 s' as at
                          from generate_series(1, 86400) as i) as fires""");
            test.execute("update run set state = 'running', open = true, finished_at = null where key = 's@7'");
            int gone = 0;
            int deleted;
            do {
                deleted = test.ledger().transaction(c -> Retention.deleteRuns(c, Duration.ofHours(1), 1_000));
                gone += deleted;
            } while (deleted > 0);
            assertThat(gone).isEqualTo(86_400 - 3_600 - 2);
            assertThat(test.texts("select key from run order by id limit 2")).containsExactly("s@7", "s@82800");
        }
    }
}
