package io.onbeat.task.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A request for each row, to a server that refuses the row that it is told to. */
class RowsHttpTest {
    private record Received(String method, String uri, Headers headers, String body) {}

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Database database = TestServices.freshDatabase();
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private volatile String refused = "none";
    private volatile String retryAfter = "";
    private TaskTest test;
    private HttpServer server;
    private String url;

    @BeforeEach
    void start() throws IOException, SQLException {
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        test = TaskTest.of(new RowsTask()).ledger(source);
        execute("create table orders (id int primary key, status text not null, item text, price numeric,"
                + " at timestamptz, extra jsonb)");
        execute("insert into orders values (1, 'new', 'Åse''s b/x?', 0.10, '2026-07-14 20:00:00+02', '[1]'),"
                + " (2, 'new', null, 9007199254740993, null, null), (3, 'old', null, null, null, null)");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        TestServices.dropDatabase(database);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Headers headers = exchange.getRequestHeaders();
        received.add(new Received(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body));
        boolean no = headers.getFirst("Idempotency-Key").contains("/" + refused + "/");
        if (no && !retryAfter.isEmpty()) {
            exchange.getResponseHeaders().add("Retry-After", retryAfter);
        }
        exchange.sendResponseHeaders(no ? 503 : 204, -1);
        exchange.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String statuses() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select string_agg(status, ' ' order by id) from orders")) {
            result.next();
            return result.getString(1);
        }
    }

    private TaskOutcome run(String http) {
        return test.args("{\"table\": \"orders\", \"status\": {\"from\": \"new\", \"to\": \"sent\"}, \"http\": " + http
                        + "}")
                .run();
    }

    @Test
    void postsTheRowUnderAKeyOfItsOwn() throws SQLException {
        assertThat(run("{\"url\": \"" + url + "/in\"}").result().path("done").asInt())
                .isEqualTo(2);

        assertThat(received).extracting(Received::method).containsOnly("POST");
        assertThat(received.get(0).headers().getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(received.get(0).headers().getFirst("Idempotency-Key")).isEqualTo("ledger:orders/1/sent");
        assertThat(Nightly.json(received.get(0).body())).isEqualTo(Nightly.json("""
                {"id": 1, "status": "new", "item": "Åse's b/x?", "price": 0.10, "at": "2026-07-14T18:00:00+00:00",
                 "extra": [1]}"""));
        assertThat(received.get(1).body()).contains("9007199254740993").contains("\"item\":null");
        assertThat(statuses()).isEqualTo("sent sent old");
    }

    @Test
    void putsColumnsWhereTheArgumentsSay() throws SQLException {
        execute("delete from orders where id = 2");
        run("{\"url\": \"" + url + "/in/${row:item}?id=${row:id}\", \"method\": \"PUT\","
                        + " \"headers\": {\"X-Price\": \"EUR ${row:price}\", \"Idempotency-Key\": \"order-${row:id}\"},"
                        + " \"body\": {\"order\": \"${row:id}\", \"text\": \"no. ${row:id}: ${row:item}\","
                        + " \"deep\": [{\"extra\": \"${row:extra}\"}], \"fixed\": true}}")
                .result();
        assertThat(received).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PUT");
            assertThat(request.uri()).isEqualTo("/in/%C3%85se%27s%20b%2Fx%3F?id=1");
            assertThat(request.headers().getFirst("X-Price")).isEqualTo("EUR 0.10");
            assertThat(request.headers().getFirst("Idempotency-Key")).isEqualTo("order-1");
            assertThat(request.body())
                    .isEqualTo(
                            "{\"order\":1,\"text\":\"no. 1: Åse's b/x?\",\"deep\":[{\"extra\":[1]}],\"fixed\":true}");
        });
    }

    @Test
    void aRowThatIsRefusedIsSentAgainUnderTheSameKey() throws SQLException {
        refused = "1";
        String http = "{\"url\": \"" + url + "/in\"}";
        TaskOutcome first = run(http);
        assertThat(first).isInstanceOf(TaskOutcome.Failed.class);
        assertThat(first.thrown()).hasMessage("1 of 2 rows failed, the first: id 1: POST " + url + "/in answered 503");
        assertThat(statuses()).isEqualTo("new sent old");
        refused = "none";
        assertThat(run(http).result().path("done").asInt()).isEqualTo(1);
        assertThat(statuses()).isEqualTo("sent sent old");
        assertThat(received)
                .extracting(request -> request.headers().getFirst("Idempotency-Key"))
                .containsExactly("ledger:orders/1/sent", "ledger:orders/2/sent", "ledger:orders/1/sent");
    }

    @Test
    void comesBackWhenTheReceiverSays() {
        refused = "2";
        retryAfter = "37";
        assertThat(run("{\"url\": \"" + url + "/in\"}")).isInstanceOfSatisfying(TaskOutcome.RetryLater.class, later -> {
            assertThat(later.delay()).isEqualTo(Duration.ofSeconds(37));
            assertThat(later.thrown()).hasMessageStartingWith("1 of 2 rows failed, the first: id 2: ");
        });
    }

    @Test
    void aRowWithoutAValueForTheUrlFailsAlone() throws SQLException {
        assertThat(run("{\"url\": \"" + url + "/in/${row:item}\", \"method\": \"GET\"}")
                        .thrown())
                .hasMessage("1 of 2 rows failed, the first: id 2: its column item is null,"
                        + " and the url or a header needs it");
        assertThat(received)
                .singleElement()
                .satisfies(request -> assertThat(request.body()).isEmpty());
        assertThat(statuses()).isEqualTo("sent new old");
    }
}
