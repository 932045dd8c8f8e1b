package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitingForTest {
    private static final String KEY = "sync@2026-07-14T09:00:00Z";

    private final CliSystem system = new CliSystem(CliSystem.NOBODY).schedules("""
            schedules:
              sync: {every: 1h, task: noop, overlap: queue}
            """);

    @BeforeEach
    void waiting() {
        system.run(KEY, "sync", "waiting");
    }

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void a_run_that_waits_for_a_permit_says_so_and_can_be_cancelled() {
        system.ledger().execute("insert into task_limit values ('noop', 2)");
        system.ledger().execute("update run set for_permit = true");
        String limit = "at most 2 runs of task noop may run at once (max_concurrency)\n";
        assertThat(system.onbeat("why", "sync", "2026-07-14T09:00:00Z").out())
                .isEqualTo("sync at 2026-07-14T09:00:00Z: run " + KEY + " is waiting for a permit: " + limit);
        assertThat(system.onbeat("why", "sync", "2026-07-14T09:00:00Z", "--json")
                        .out())
                .endsWith("\"state\":\"waiting\",\"waiting_for\":\"max_concurrency\"}\n");
        assertThat(system.onbeat("runs").out()).endsWith("1 run waits for a permit: " + limit);
        assertThat(system.onbeat("runs", "--state", "waiting", "--json").out())
                .contains("\"waiting_for\":\"max_concurrency\"");
        assertThat(system.onbeat("run", KEY).out()).containsPattern("waiting for +max_concurrency");
        system.ledger().execute("delete from task_limit");
        assertThat(system.onbeat("runs").out()).contains("has no limit any more, and its runs follow within seconds");
        assertThat(system.onbeat("cancel", KEY).out()).isEqualTo("cancelled " + KEY + ", which was waiting\n");
    }

    @Test
    void a_run_that_waits_for_the_one_before_it_says_so() {
        assertThat(system.onbeat("why", "sync", "2026-07-14T09:00:00Z").out())
                .endsWith("is waiting for the run before it to end (overlap: queue)\n");
        assertThat(system.onbeat("runs", "--json").out()).contains("\"waiting_for\":\"overlap\"");
    }
}
