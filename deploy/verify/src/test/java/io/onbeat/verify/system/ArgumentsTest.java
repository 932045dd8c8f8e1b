package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.AMQP;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * From the schedule file or another program's message to a Java task and to http: what JSON can say arrives unchanged. For exec
 * see {@link ProgramsTest}, for celery {@link CeleryTest}.
 */
class ArgumentsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ODD = ProgramsTest.ODD.replace("\n", " ");

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private static final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
    private static HttpServer server;

    @BeforeAll
    static void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        cluster.schedules("""
                defaults: {retry: {max_attempts: 1}}
                schedules:
                  odd: {cron: "* * * * * ?", unique_by: day, task: echo, args: {input: %s}}
                  absent: {cron: "* * * * * ?", unique_by: day, task: echo}
                  empty: {cron: "* * * * * ?", unique_by: day, task: echo, args: {}}
                  nothing: {cron: "* * * * * ?", unique_by: day, task: echo, args: {input: null}}
                  request: {cron: "* * * * * ?", unique_by: day, task: http, args: {url: "http://127.0.0.1:%d/", method: POST, body: %s}}
                """.formatted(ODD, server.getAddress().getPort(), ODD));
        cluster.startBeat();
        cluster.startWorker();
    }

    @AfterAll
    static void stop() {
        server.stop(0);
    }

    private static JsonNode told(String condition, Object... values) throws Exception {
        cluster.books().await("select count(*) > 0 from run where not open and " + condition, values);
        assertThat(cluster.books().texts("select distinct state from run where not open and " + condition, values))
                .containsExactly("succeeded");
        return JSON.readTree(cluster.books()
                .text("select result from run where not open and " + condition + " order by id limit 1", values));
    }

    private static void assertUnchanged(JsonNode told) throws Exception {
        JsonNode odd = JSON.readTree(ODD);
        // as text: a tree would call 1 and 1.0 or a long and a big integer different, or alike
        assertThat(told.at("/tree/input").toString()).isEqualTo(odd.toString());
        assertThat(told.at("/typed/input").toString()).isEqualTo(odd.toString());
    }

    @Test
    void aTaskIsToldWhatTheScheduleSays() throws Exception {
        assertUnchanged(told("schedule = ?", "odd"));
    }

    @Test
    void noneAndNullAreToldApart() throws Exception {
        assertThat(told("schedule = ?", "absent").get("tree").toString()).isEqualTo("{}");
        assertThat(told("schedule = ?", "empty").get("tree").toString()).isEqualTo("{}");
        assertThat(told("schedule = ?", "nothing").get("tree").toString()).isEqualTo("{\"input\":null}");
    }

    @Test
    void aTaskIsToldWhatAnotherProgramsMessageSays() throws Exception {
        cluster.console().awaitDepth("onbeat.task.default", 0);
        try (Amqp amqp = new Amqp(cluster.servers())) {
            amqp.channel()
                    .basicPublish(
                            "onbeat.task",
                            "default",
                            true,
                            new AMQP.BasicProperties.Builder()
                                    .messageId("odd-from-outside")
                                    .type("echo")
                                    .deliveryMode(2)
                                    .build(),
                            ("{\"args\": {\"input\": " + ODD + "}}").getBytes(StandardCharsets.UTF_8));
            assertUnchanged(told("key = ?", "odd-from-outside"));
        }
    }

    @Test
    void aReceiverIsSentWhatTheScheduleSays() throws Exception {
        String body = bodies.poll(90, TimeUnit.SECONDS);
        assertThat(body).isNotNull();
        assertThat(body).isEqualTo(JSON.readTree(ODD).toString());
    }
}
