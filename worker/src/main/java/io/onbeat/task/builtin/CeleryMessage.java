package io.onbeat.task.builtin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.rabbitmq.client.AMQP.BasicProperties;
import io.onbeat.task.TaskContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A message that Celery's workers take for one of their own: protocol 2, as
 * https://docs.celeryq.dev/en/stable/internals/protocol.html has it.
 *
 * @param id of the task in Celery
 * @param virtualHost empty = the one of the worker's broker URL
 */
record CeleryMessage(
        UUID id,
        Optional<String> virtualHost,
        String exchange,
        String routingKey,
        BasicProperties properties,
        byte[] body) {
    static final List<String> KEYS =
            List.of("task", "args", "kwargs", "queue", "exchange", "routing_key", "expires", "vhost");

    private static final String TASK = "the name of a Celery task, such as shop.tasks.settle";
    private static final ObjectMapper JSON = new ObjectMapper();
    // what Celery takes when nobody tells it otherwise
    private static final String DEFAULT_QUEUE = "celery";
    private static final int PERSISTENT = 2;
    private static final int LONGEST_SHOWN = 1_024;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx");

    /**
     * @param namespace of this Onbeat: two that share a broker may have a run key in common
     * @param now for {@code expires}, which Celery's workers compare with their own clocks
     */
    static CeleryMessage of(TaskContext context, String namespace, Instant now) {
        Arguments args = Arguments.of(CeleryTask.NAME, context.args(), KEYS);
        args.required("task", TASK);
        String task = args.text("task", TASK).orElseThrow();
        JsonNode positional = args.value("args").orElseGet(JsonNodeFactory.instance::arrayNode);
        if (!positional.isArray()) {
            throw args.wrong("args", "a list", positional);
        }
        JsonNode named = args.value("kwargs").orElseGet(JsonNodeFactory.instance::objectNode);
        if (!named.isObject()) {
            throw args.wrong("kwargs", "a map", named);
        }
        UUID id = CeleryId.of(namespace, context.runKey());
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put("lang", "py");
        headers.put("task", task);
        headers.put("id", id.toString());
        headers.put("shadow", null);
        headers.put("eta", null);
        headers.put("expires", expires(args, now));
        headers.put("group", null);
        headers.put("group_index", null);
        headers.put("retries", 0);
        headers.put("timelimit", Arrays.asList(null, null));
        headers.put("root_id", id.toString());
        headers.put("parent_id", null);
        headers.put("argsrepr", shown(positional, context));
        headers.put("kwargsrepr", shown(named, context));
        headers.put("origin", "onbeat");
        headers.put("ignore_result", false);
        headers.put("onbeat_run_key", context.runKey());
        headers.put("onbeat_schedule", context.schedule().orElse(null));
        headers.put("onbeat_fire_at", context.fireTime().toString());
        headers.put("onbeat_attempt", context.attempt());
        BasicProperties properties = new BasicProperties.Builder()
                .contentType("application/json")
                .contentEncoding("utf-8")
                .deliveryMode(PERSISTENT)
                .priority(0)
                .correlationId(id.toString())
                .replyTo("")
                .headers(headers)
                .build();
        String queue = args.text("queue", "the name of a queue").orElse(DEFAULT_QUEUE);
        return new CeleryMessage(
                id,
                args.text("vhost", "the name of a virtual host"),
                args.text("exchange", "the name of an exchange").orElse(""),
                args.text("routing_key", "a routing key").orElse(queue),
                properties,
                body(positional, named));
    }

    private static String expires(Arguments args, Instant now) {
        return args.value("expires").isEmpty()
                ? null
                : TIME.format(now.plus(args.duration("expires", Duration.ZERO))
                        .truncatedTo(ChronoUnit.SECONDS)
                        .atOffset(ZoneOffset.UTC));
    }

    private static byte[] body(JsonNode positional, JsonNode named) {
        ObjectNode embedded = JsonNodeFactory.instance.objectNode();
        List.of("callbacks", "errbacks", "chain", "chord").forEach(embedded::putNull);
        try {
            return JSON.writeValueAsString(Arrays.asList(positional, named, embedded))
                    .getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    // Celery's workers log it
    private static String shown(JsonNode arguments, TaskContext context) {
        return Excerpt.first(context.masked(arguments.toString()), LONGEST_SHOWN);
    }
}
