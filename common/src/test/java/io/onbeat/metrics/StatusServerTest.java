package io.onbeat.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StatusServerTest {
    private final AtomicReference<Health> health = new AtomicReference<>(new Health(List.of()));
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void theHealthCommandPassesOnWhatTheProcessSays() throws IOException {
        try (StatusServer server = StatusServer.start("127.0.0.1", 0, health::get, () -> "")) {
            assertThat(check(server.port())).isZero();

            health.set(new Health(List.of("the \"ledger\" does not answer")));

            assertThat(check(server.port())).isEqualTo(1);
            assertThat(said.toString(StandardCharsets.UTF_8))
                    .contains("{\"healthy\":false,\"problems\":[\"the \\\"ledger\\\" does not answer\"]}");
        }
    }

    @Test
    void noAnswerIsNoHealth() throws IOException {
        StatusServer server = StatusServer.start("127.0.0.1", 0, health::get, () -> "");
        int port = server.port();
        server.close();

        assertThat(check(port)).isEqualTo(1);
    }

    @Test
    void aPortThatIsTakenIsNamed() throws IOException {
        try (StatusServer first = StatusServer.start("127.0.0.1", 0, health::get, () -> "")) {
            assertThatThrownBy(() -> StatusServer.start("127.0.0.1", first.port(), health::get, () -> ""))
                    .hasMessageContaining("cannot listen on 127.0.0.1:" + first.port());
        }
    }

    private int check(int port) {
        return HealthCheck.check(
                new String[0],
                Map.of("ONBEAT_HTTP_PORT", Integer.toString(port)),
                new PrintStream(said, true, StandardCharsets.UTF_8));
    }
}
