package io.onbeat.beat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BeatMainTest {
    @Test
    void b18_two_beats_on_one_host_are_two_beats() {
        assertThat(BeatMain.id()).isNotEqualTo(BeatMain.id());
    }

    @Test
    void wrong_settings_end_the_start_with_exit_code_2() throws InterruptedException {
        assertThat(BeatMain.run(Map.of("ONBEAT_LEADER_LEASE", "soon"))).isEqualTo(2);
    }
}
