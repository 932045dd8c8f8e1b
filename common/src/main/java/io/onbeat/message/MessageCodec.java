package io.onbeat.message;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The message format. Body, version 1:
 *
 * <pre>{@code
 * {"version":1, "id":4711, "key":"settle-points@2026-07-14T02:00:00Z", "attempt":1, "task":"settle-points",
 *  "schedule":"settle-points", "fire_at":"2026-07-14T02:00:00Z", "args":{"batch":500}}
 * }</pre>
 *
 * Properties: {@code message_id} = run key, {@code type} = task, {@code delivery_mode} 2, headers {@code origin}, {@code
 * attempt}, {@code schedule}, {@code fire_at}, {@code traceparent}. An outside publisher leaves {@code origin} out and needs
 * a {@code message_id}, a {@code type} or {@code task}, and args only.
 */
public final class MessageCodec {
    /**
     * The newest body version that this code reads and the one that it writes. Fields and headers may be added under the same
     * version: who does not know them passes over them. What an older worker would run wrongly needs the next one.
     */
    public static final int VERSION = 1;

    public static final int MOST_ARGS_BYTES = 1 << 20;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private MessageCodec() {}

    /** A body and its properties, ready to be published. */
    public record Encoded(BasicProperties properties, byte[] body) {}

    public static Encoded encode(TaskMessage message) {
        return new Encoded(properties(message, headers(message)), body(message));
    }

    public static Encoded encode(DeadMessage dead) {
        Map<String, Object> headers = headers(dead.message());
        headers.put(Headers.DEAD, dead.message().attempt().number());
        headers.put(Headers.FAILURES, dead.failures());
        dead.errorClass().ifPresent(value -> headers.put(Headers.ERROR_CLASS, value));
        dead.errorMessage().ifPresent(value -> headers.put(Headers.ERROR_MESSAGE, Headers.shortened(value)));
        dead.worker().ifPresent(value -> headers.put(Headers.WORKER, value));
        return new Encoded(properties(dead.message(), headers), body(dead.message()));
    }

    /**
     * Reads a message of ours or of an outside publisher.
     *
     * @throws UnreadableMessage with the reason, when it can never be run
     * @throws NewerMessage when a newer version of this code may read it
     */
    public static Received decode(BasicProperties properties, byte[] body, String queue) {
        Map<String, Object> headers = properties.getHeaders() == null ? Map.of() : properties.getHeaders();
        JsonNode json = json(body);
        int version = json.path("version").asInt(VERSION);
        if (version > VERSION) {
            throw new NewerMessage(
                    version, Headers.number(headers, Headers.RETURNS).orElse(0));
        }
        Optional<Origin> origin = Headers.text(headers, Headers.ORIGIN).map(MessageCodec::origin);
        String key = Optional.ofNullable(properties.getMessageId())
                .or(() -> text(json, "key"))
                .filter(k -> !k.isBlank())
                .orElseThrow(() -> new UnreadableMessage("it has no message_id: that is the run key"));
        if (key.length() > 255 || key.chars().anyMatch(Character::isISOControl)) {
            throw new UnreadableMessage("its message_id is longer than 255 characters or has control characters");
        }
        String task = Optional.ofNullable(properties.getType())
                .or(() -> text(json, "task"))
                .filter(t -> !t.isBlank())
                .orElseThrow(() -> new UnreadableMessage("it names no task, neither as its type nor in its body"));
        Attempt attempt = new Attempt(json.path("id").asLong(0), key, attempt(headers, json));
        TaskMessage message = new TaskMessage(
                attempt,
                origin.orElse(Origin.OUTSIDE),
                Headers.text(headers, Headers.SCHEDULE).or(() -> text(json, "schedule")),
                task,
                queue,
                fireAt(properties, json),
                args(json),
                Headers.text(headers, Headers.TRACEPARENT));
        return new Received(message, origin.isPresent(), Headers.number(headers, Headers.DEAD));
    }

    /**
     * A message as it came.
     *
     * @param ours a beat or a worker has published it, so its run must be in the ledger
     * @param dead the attempt at which its run died, where it was moved here from a dead queue
     */
    public record Received(TaskMessage message, boolean ours, OptionalInt dead) {}

    private static JsonNode json(byte[] body) {
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (IOException notJson) {
            throw new UnreadableMessage("its body is not JSON: " + firstLine(notJson));
        }
        if (!json.isObject()) {
            throw new UnreadableMessage("its body is not a JSON object");
        }
        return json;
    }

    private static String args(JsonNode json) {
        JsonNode args = json.path("args");
        if (args.isMissingNode() || args.isNull()) {
            return "{}";
        }
        if (!args.isObject()) {
            throw new UnreadableMessage("its args are not a JSON object");
        }
        String text = args.toString();
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MOST_ARGS_BYTES) {
            throw new UnreadableMessage("its args are over 1 MB: " + length + " bytes");
        }
        return text;
    }

    private static Instant fireAt(BasicProperties properties, JsonNode json) {
        Optional<String> text = text(json, "fire_at");
        if (text.isPresent()) {
            try {
                return Instant.parse(text.get());
            } catch (DateTimeException wrong) {
                throw new UnreadableMessage("its fire_at '" + text.get() + "' is not like 2026-07-14T02:00:00Z");
            }
        }
        Date timestamp = properties.getTimestamp();
        return timestamp == null ? Instant.EPOCH : timestamp.toInstant();
    }

    private static int attempt(Map<String, Object> headers, JsonNode json) {
        return Headers.number(headers, Headers.ATTEMPT)
                .orElse(json.path("attempt").asInt(1));
    }

    private static Origin origin(String word) {
        try {
            return Origin.of(word);
        } catch (IllegalArgumentException unknown) {
            throw new UnreadableMessage("its origin '" + word + "' is not one of ours");
        }
    }

    private static Optional<String> text(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    private static BasicProperties properties(TaskMessage message, Map<String, Object> headers) {
        return new BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(2)
                .messageId(message.attempt().runKey())
                .type(message.task())
                .timestamp(Date.from(message.fireAt()))
                .headers(headers)
                .build();
    }

    private static Map<String, Object> headers(TaskMessage message) {
        Map<String, Object> headers = new HashMap<>();
        headers.put(Headers.ORIGIN, message.origin().word());
        headers.put(Headers.ATTEMPT, message.attempt().number());
        headers.put(Headers.FIRE_AT, message.fireAt().toString());
        message.schedule().ifPresent(schedule -> headers.put(Headers.SCHEDULE, schedule));
        message.traceparent().ifPresent(trace -> headers.put(Headers.TRACEPARENT, trace));
        return headers;
    }

    private static byte[] body(TaskMessage message) {
        ByteArrayOutputStream bytes =
                new ByteArrayOutputStream(256 + message.args().length());
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeNumberField("id", message.attempt().runId());
            json.writeStringField("key", message.attempt().runKey());
            json.writeNumberField("attempt", message.attempt().number());
            json.writeStringField("task", message.task());
            if (message.schedule().isPresent()) {
                json.writeStringField("schedule", message.schedule().get());
            }
            json.writeStringField("fire_at", message.fireAt().toString());
            json.writeFieldName("args");
            json.writeRawValue(message.args());
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static String firstLine(IOException error) {
        String message = error instanceof JsonProcessingException json ? json.getOriginalMessage() : error.getMessage();
        return message == null
                ? error.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
