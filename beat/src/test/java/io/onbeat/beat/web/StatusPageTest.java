package io.onbeat.beat.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.LedgerRuns;
import io.onbeat.ledger.TestLedger;
import io.onbeat.metrics.Health;
import io.onbeat.metrics.StatusServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusPageTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(StatusServer server, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void the_page_shows_what_is_there_escaped_and_says_what_is_wrong() throws Exception {
        try (TestLedger test = new TestLedger();
                StatusServer server = StatusServer.start("127.0.0.1", 0, () -> new Health(List.of()), () -> "")) {
            server.page(new StatusPage(
                    test.ledger(),
                    "b1",
                    () -> true,
                    () -> Optional.of("line 3: <oops>"),
                    () -> new Health(List.of("no broker")))::html);
            assertThat(get(server, "/").body())
                    .contains("b1 leads", "no broker", "Nothing has fired yet.", "line 3: &lt;oops&gt;");
            new LedgerRuns(test.ledger()).insert("a<script>@manual:1");
            assertThat(get(server, "/").body())
                    .contains("a&lt;script&gt;@manual:1")
                    .doesNotContain("<script>");
            assertThat(get(server, "/elsewhere").statusCode()).isEqualTo(404);
            assertThat(get(server, "/health").statusCode()).isEqualTo(200);
        }
    }
}
