package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CancelCommandTest {
    private final CliSystem system =
            new CliSystem(CliSystem.NOBODY).schedules("schedules: {tick: {every: 1m, task: noop}}");

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void what_does_not_run_is_cancelled_at_once() {
        system.run("tick@1", "tick", "queued");
        system.run("tick@2", "tick", "retrying");
        assertThat(system.onbeat("cancel", "tick@1")).isEqualTo(new Cli(0, "cancelled tick@1, which was queued\n", ""));
        assertThat(system.onbeat("cancel", "tick@2", "--json").out())
                .isEqualTo("{\"key\":\"tick@2\",\"state\":\"cancelled\",\"state_before\":\"retrying\","
                        + "\"cancel_requested\":true}\n");
        assertThat(system.state("tick@1")).isEqualTo("cancelled");
        assertThat(system.state("tick@2")).isEqualTo("cancelled");
        assertThat(system.audit()).containsExactly("cancel tick@1", "cancel tick@2");
    }

    @Test
    void a_running_run_is_asked_to_stop() {
        system.run("tick@1", "tick", "running");
        assertThat(system.onbeat("cancel", "tick@1"))
                .isEqualTo(
                        new Cli(0, "asked for: tick@1 is running, and its worker interrupts it within seconds\n", ""));
        assertThat(system.state("tick@1")).isEqualTo("running");
        assertThat(system.ledger().texts("select cancel_requested from run")).containsExactly("t");
    }

    @Test
    void what_has_ended_stays_as_it_was() {
        system.run("tick@1", "tick", "succeeded");
        system.run("tick@2", "tick", "cancelled");
        assertThat(system.onbeat("cancel", "tick@1"))
                .isEqualTo(new Cli(1, "", "onbeat: nothing to cancel: tick@1 succeeded\n"));
        assertThat(system.onbeat("cancel", "tick@2")).isEqualTo(new Cli(0, "tick@2 was cancelled before\n", ""));
        assertThat(system.state("tick@1")).isEqualTo("succeeded");
        assertThat(system.audit()).isEmpty();
    }

    @Test
    void an_unknown_key_is_a_wrong_value() {
        assertThat(system.onbeat("cancel", "tick@9"))
                .isEqualTo(new Cli(2, "", "onbeat: no run \"tick@9\" in the ledger: onbeat runs lists the keys\n"));
    }
}
