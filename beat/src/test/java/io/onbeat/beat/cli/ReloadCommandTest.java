package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.metrics.Health;
import io.onbeat.metrics.StatusServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReloadCommandTest {
    @Test
    void it_tells_what_came_of_the_reload() throws Exception {
        AtomicReference<StatusServer.Reply> reply = new AtomicReference<>(new StatusServer.Reply(200, "taken over"));
        try (StatusServer server = StatusServer.start("127.0.0.1", 0, () -> new Health(List.of()), () -> "")) {
            server.post("/reload", reply::get);
            String url = "http://127.0.0.1:" + server.port();
            assertThat(Cli.onbeat("reload", "--url", url)).isEqualTo(new Cli(0, "taken over\n", ""));
            reply.set(new StatusServer.Reply(409, "s.yaml:2:3: wrong\ns.yaml:3:3: wrong too"));
            assertThat(Cli.onbeat("reload", "--url", url))
                    .isEqualTo(new Cli(
                            1,
                            "",
                            "onbeat: not taken over, the last good schedules stay in force: s.yaml:2:3: wrong"
                                    + " (and 1 more: onbeat check shows all)\n"));
        }
    }

    @Test
    void without_a_beat_it_says_where_it_looked() {
        Cli answer = Cli.onbeat("reload", "--url", "http://127.0.0.1:1");
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).startsWith("onbeat: no beat answers at http://127.0.0.1:1: start one");
        assertThat(Cli.onbeat("reload", "--url", "::").code()).isEqualTo(2);
    }
}
