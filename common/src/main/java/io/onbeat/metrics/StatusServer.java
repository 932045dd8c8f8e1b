package io.onbeat.metrics;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Answers {@code /health} (200, or 503 with the reasons, in JSON) and {@code /metrics} (the Prometheus text format). */
public final class StatusServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads;

    private StatusServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * @param port 0 = any that is free
     * @throws IOException when the address cannot be had, with the address in the message
     */
    public static StatusServer start(String host, int port, Supplier<Health> health, Supplier<String> metrics)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, port), 0);
        } catch (IOException | RuntimeException taken) {
            throw new IOException("cannot listen on " + host + ":" + port + ": " + taken.getMessage(), taken);
        }
        ExecutorService threads = Executors.newFixedThreadPool(2, work -> {
            Thread thread = new Thread(work, "status");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/health", exchange -> answerHealth(exchange, health.get()));
        server.createContext("/metrics", exchange -> answer(exchange, 200, "text/plain; version=0.0.4", metrics.get()));
        server.start();
        return new StatusServer(server, threads);
    }

    /** Answers {@code /}, and nothing below it, with an HTML page. */
    public void page(Supplier<String> html) {
        server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/")) {
                answer(exchange, 200, "text/html", html.get());
            } else {
                answer(exchange, 404, "text/plain", "there is no such page\n");
            }
        });
    }

    /** An HTTP status and a text. */
    public record Reply(int status, String text) {}

    /** Does something when it is asked for with POST; any other method is refused. */
    public void post(String path, Supplier<Reply> action) {
        server.createContext(path, exchange -> {
            Reply reply = exchange.getRequestMethod().equals("POST") ? action.get() : new Reply(405, "ask with POST");
            answer(exchange, reply.status(), "text/plain", reply.text() + "\n");
        });
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void answerHealth(HttpExchange exchange, Health health) throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("healthy", health.healthy());
        body.put("problems", health.problems());
        answer(exchange, health.healthy() ? 200 : 503, "application/json", JSON.writeValueAsString(body) + "\n");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
