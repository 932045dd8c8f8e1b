package io.onbeat.task.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.test.TaskTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpTaskTest {
    private record Received(String method, String path, Headers headers, String body) {}

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private final HttpTask task = new HttpTask();
    private ExecutorService threads;
    private HttpServer server;
    private String url;

    @BeforeEach
    void start() throws IOException {
        threads = Executors.newCachedThreadPool();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        release.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** {@code /status/NNN} answers with it; {@code /echo} with what came; {@code /hang} and {@code /dribble} never end. */
    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String path = exchange.getRequestURI().getPath();
        received.add(new Received(exchange.getRequestMethod(), path, exchange.getRequestHeaders(), body));
        Headers answer = exchange.getResponseHeaders();
        switch (path) {
            case "/hang" -> await();
            case "/dribble" -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("first ".getBytes(UTF_8));
                exchange.getResponseBody().flush();
                await();
            }
            case "/echo" ->
                send(exchange, 400, "you sent " + exchange.getRequestHeaders().entrySet() + body);
            case "/long" -> send(exchange, 200, "a".repeat(3_000_000) + "end 😀");
            case "/busy" -> {
                answer.add("Retry-After", "37");
                send(exchange, 503, "come back");
            }
            case "/moved" -> {
                answer.add("Location", url + "/status/200?token=hush");
                send(exchange, 302, "");
            }
            case "/latin" -> {
                answer.add("Content-Type", "text/plain; charset=ISO-8859-1");
                exchange.sendResponseHeaders(200, 1);
                exchange.getResponseBody().write(0xe9);
                exchange.close();
            }
            default -> {
                int status = Integer.parseInt(path.replaceAll("\\D", ""));
                send(exchange, status, status == 304 ? "" : "x".repeat(600));
            }
        }
    }

    private void await() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Object run(String path, String more) throws Exception {
        return task.run(nightly(path, more).context());
    }

    private TaskTest nightly(String path, String more) {
        return Nightly.test("{\"url\": \"" + url + path + "\"" + (more.isEmpty() ? "" : ", " + more) + "}");
    }

    @Test
    void sendsTheRunKeyAsIdempotencyKey() throws Exception {
        Object result =
                run("/status/201", "\"method\": \"post\", \"body\": {\"count\": 9007199254740993, \"who\": \"Åse\"}");
        Received request = received.take();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.body()).isEqualTo("{\"count\":9007199254740993,\"who\":\"Åse\"}");
        assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(request.headers().getFirst("Idempotency-Key")).isEqualTo("nightly@2026-07-14T18:00:00Z");
        assertThat(request.headers().getFirst("X-Onbeat-Attempt")).isEqualTo("2");
        assertThat(request.headers().getFirst("X-Onbeat-Fire-At")).isEqualTo("2026-07-14T18:00:00Z");
        assertThat(Nightly.json(result)).isEqualTo("{\"status\":201,\"body\":\"" + "x".repeat(600) + "\"}");
    }

    @Test
    void sendsTextAsText() throws Exception {
        run("/status/200", "\"method\": \"PUT\", \"body\": \"grüezi\", \"headers\": {\"X-Count\": 3}");
        Received request = received.take();
        assertThat(request.body()).isEqualTo("grüezi");
        assertThat(request.headers().getFirst("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(request.headers().getFirst("X-Count")).isEqualTo("3");
    }

    @Test
    void encodesRunKeyOutsideAscii() throws Exception {
        task.run(nightly("/status/200", "").runKey("löhne@2026-07-14T18:00:00Z").context());
        assertThat(received.take().headers().getFirst("Idempotency-Key")).isEqualTo("l%C3%B6hne@2026-07-14T18:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({"400", "404", "500", "304"})
    void quotesStatusAndTheFirst500CharactersOfTheBody(int status) {
        assertThatThrownBy(() -> run("/status/" + status + "?token=hush", ""))
                .isInstanceOf(HttpFailure.class)
                .hasMessageStartingWith("GET " + url + "/status/" + status + "?… answered " + status)
                .satisfies(
                        e -> assertThat(e.getMessage().replaceAll("[^x]", "")).hasSize(status == 304 ? 0 : 500));
    }

    @Test
    void expectsWhatItIsTold() throws Exception {
        assertThat(run("/status/404", "\"expect\": [200, 404]")).isNotNull();
        assertThat(run("/status/404", "\"expect\": 404")).isNotNull();
        assertThatThrownBy(() -> run("/status/201", "\"expect\": [200]")).hasMessageContaining("answered 201");
    }

    @Test
    void neverQuotesHeaderValues() {
        String headers = "\"headers\": {\"Authorization\": \"Bearer s3cret-token\", \"X-Key\": \"another-secret\"}";
        assertThatThrownBy(() -> run("/echo", headers))
                .hasMessageContaining("you sent")
                .hasMessageContaining("***")
                .hasMessageNotContaining("s3cret-token")
                .hasMessageNotContaining("another-secret");
        assertThatThrownBy(() -> run("/echo", "\"headers\": {\"X-Key\": \"two\\nlines\"}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("X-Key")
                .hasMessageNotContaining("two")
                .hasNoCause();
        assertThatThrownBy(() -> run("/echo", "\"headers\": {\"X-Key\": [\"hidden\"]}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageNotContaining("hidden");
    }

    @Test
    void comesBackWhenTheReceiverSays() {
        RetryLater later = catchThrowableOfType(RetryLater.class, () -> run("/busy", ""));
        assertThat(later.delay()).isEqualTo(Duration.ofSeconds(37));
        assertThat(later).hasMessageContaining("answered 503: come back");
        assertThatThrownBy(() -> run("/status/503", "")).isInstanceOf(HttpFailure.class);
    }

    @Test
    void followsNoRedirect() {
        assertThatThrownBy(() -> run("/moved", ""))
                .hasMessageContaining("answered 302 (a redirect to " + url + "/status/200?…, which is not followed)");
        assertThat(received).hasSize(1);
    }

    @Test
    void keepsTheEndOfALongBody() throws Exception {
        HttpCaller.Answer answer = (HttpCaller.Answer) run("/long", "");
        assertThat(answer.body()).endsWith("aaaend 😀").hasSizeLessThan(4200);
        assertThat(((HttpCaller.Answer) run("/latin", "")).body()).isEqualTo("é");
    }

    @ParameterizedTest
    @CsvSource({"/hang", "/dribble"})
    void givesUpAfterItsTimeout(String path) {
        assertThatThrownBy(() -> run(path, "\"timeout\": \"200ms\""))
                .isInstanceOf(HttpFailure.class)
                .hasMessageContaining("gave no complete answer within 200 ms");
    }

    @ParameterizedTest
    @CsvSource({"/hang", "/dribble"})
    void endsWhenInterrupted(String path) throws Exception {
        Interrupted interrupted = Interrupted.start(task, nightly(path, "").context());
        assertThat(received.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(interrupted.endWithin(Duration.ofSeconds(5))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void saysWhyThereIsNoAnswer() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        assertThatThrownBy(() -> task.run(Nightly.context("{\"url\": \"http://127.0.0.1:" + free + "/a\"}")))
                .isInstanceOf(HttpFailure.class)
                .hasMessage("GET http://127.0.0.1:" + free + "/a failed: connection refused");
        assertThatThrownBy(() -> task.run(Nightly.context("{\"url\": \"http://nowhere.invalid/\"}")))
                .hasMessage("GET http://nowhere.invalid/ failed: the host name does not resolve");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                             | "url" is missing
            {"url": 5}                                     | "url" must be an http or https URL such as https://orders.internal/sync, not 5
            {"url": "ftp://h/"}                            | not "ftp://h/"
            {"url": "orders"}                              | not "orders"
            {"url": "http://h/a b?key=hush"}               | not "http://h/a b?…"
            {"url": "http://u:p@h/"}                       | Authorization header
            {"urll": "http://h/"}                          | unknown argument "urll"; it takes url, method, headers, body, expect, timeout; did you mean "url"?
            {"url": "http://h/", "method": "GE T"}         | "method" must be an HTTP method such as GET or POST, not "GE T"
            {"url": "http://h/", "headers": ["a"]}         | "headers" must be a map of names to texts, not a list
            {"url": "http://h/", "headers": {"Host": "a"}} | and "Host" is not one
            {"url": "http://h/", "expect": "2xx"}          | "expect" must be a status or a list of them, such as [200, 404], not "2xx"
            {"url": "http://h/", "expect": []}             | "expect"
            {"url": "http://h/", "timeout": 30}            | "timeout" must be a duration such as 500ms, 30s, 5m or 1h, not 30
            {"url": "http://h/", "timeout": "0s"}          | "timeout"
            [1]                                            | the arguments must be a map
            """)
    void namesTheWrongArgument(String args, String expected) {
        assertThatThrownBy(() -> task.run(Nightly.context(args)))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageStartingWith("http: ")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("hush");
    }
}
