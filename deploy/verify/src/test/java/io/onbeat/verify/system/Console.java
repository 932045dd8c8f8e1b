package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onbeat.local.ManagementApi;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an operator sees and does in the management console, in one virtual host. */
public final class Console {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ManagementApi management;
    private final String vhost;
    private final String amqpUrl;

    Console(ManagementApi management, String vhost, String amqpUrl) {
        this.management = management;
        this.vhost = ManagementApi.encode(vhost);
        this.amqpUrl = amqpUrl;
    }

    /** A message as the console shows it. */
    public record Message(JsonNode properties, String payload) {
        public JsonNode header(String name) {
            return properties.path("headers").path(name);
        }
    }

    /** Messages in the queue, those with a consumer included; 0 while there is no such queue. */
    public long depth(String queue) {
        ManagementApi.Response response =
                management.request("GET", "/api/queues/" + vhost + "/" + ManagementApi.encode(queue), "");
        return response.ok() ? parse(response.body()).path("messages").asLong() : 0;
    }

    public void awaitDepth(String queue, long messages) {
        await().alias(queue + " holds " + messages)
                .atMost(Duration.ofSeconds(30))
                .until(() -> depth(queue) == messages);
    }

    /** Reads messages and leaves them in the queue. */
    List<Message> peek(String queue, int most) {
        String answer = management.post(
                "/api/queues/" + vhost + "/" + ManagementApi.encode(queue) + "/get",
                json(Map.of("count", most, "ackmode", "ack_requeue_true", "encoding", "auto")));
        List<Message> messages = new ArrayList<>();
        parse(answer)
                .forEach(each -> messages.add(new Message(
                        each.path("properties"), each.path("payload").asText())));
        return messages;
    }

    /** "Purge messages" of the queue's page. */
    void purge(String queue) {
        management.delete("/api/queues/" + vhost + "/" + ManagementApi.encode(queue) + "/contents");
    }

    /** "Move messages" of the queue's page: a shovel that ends when the queue is empty. */
    void move(String from, String to) {
        management.put(
                "/api/parameters/shovel/" + vhost + "/" + ManagementApi.encode("Move from " + from),
                json(Map.of(
                        "value",
                        Map.of(
                                "src-protocol",
                                "amqp091",
                                "src-uri",
                                amqpUrl,
                                "src-queue",
                                from,
                                "src-delete-after",
                                "queue-length",
                                "dest-protocol",
                                "amqp091",
                                "dest-uri",
                                amqpUrl,
                                "dest-queue",
                                to,
                                "ack-mode",
                                "on-confirm"))));
    }

    void publish(String exchange, String key, Map<String, Object> properties, String payload) {
        String answer = management.post(
                "/api/exchanges/" + vhost + "/" + ManagementApi.encode(exchange) + "/publish",
                json(Map.of(
                        "properties", properties,
                        "routing_key", key,
                        "payload", payload,
                        "payload_encoding", "string")));
        assertThat(parse(answer).path("routed").asBoolean())
                .as(exchange + " has a queue for " + key)
                .isTrue();
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
