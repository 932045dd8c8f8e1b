package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.TestLedger;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TaskLimitsReloadTest {
    @Test
    void the_limits_of_the_file_are_in_force_with_it_and_only_the_leader_writes_them() {
        try (TestLedger ledger = new TestLedger()) {
            ledger.setClock(Instant.parse("2026-07-14T10:00:00Z"));
            HandDrivenBeat beat = new HandDrivenBeat(ledger, "a");
            HandDrivenBeat standby = new HandDrivenBeat(ledger, "b");
            String limits = "select task || ' ' || max_concurrency from task_limit order by task";

            beat.with("tasks: {report: {max_concurrency: 2}, mail: {max_concurrency: 1}}\nschedules: {}")
                    .pass();
            assertThat(ledger.texts(limits)).containsExactly("mail 1", "report 2");
            standby.with("tasks: {report: {max_concurrency: 9}}").pass();
            assertThat(ledger.texts(limits)).containsExactly("mail 1", "report 2");
            beat.with("tasks: {report: {max_concurrency: 3}}").pass();
            assertThat(ledger.texts(limits)).containsExactly("report 3");
            beat.with("schedules: {s: {every: 1h, task: report}}").pass();
            assertThat(ledger.texts(limits)).isEmpty();
        }
    }
}
