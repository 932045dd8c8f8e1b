package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.schedule.Durations;
import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.Nearest;
import io.onbeat.task.PermanentFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a built-in task, read strictly: a missing or unknown key or a value of the wrong kind ends the run with
 * one line that names the key, since another attempt would read the same.
 */
final class Arguments {
    static final String DATA_SOURCE = "a data source of the worker's configuration";

    private static final int QUOTED = 80;

    private final String task;
    private final JsonNode args;

    private Arguments(String task, JsonNode args) {
        this.task = task;
        this.args = args;
    }

    static Arguments of(String task, JsonNode args, List<String> keys) {
        if (!args.isObject()) {
            throw new PermanentFailure(task + ": the arguments must be a map of " + String.join(", ", keys) + ", not "
                    + Excerpt.first(args.toString(), QUOTED));
        }
        for (Iterator<String> names = args.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!keys.contains(name)) {
                throw new PermanentFailure(task + ": unknown argument \"" + name + "\"; it takes "
                        + String.join(", ", keys) + Nearest.hint(name, keys));
            }
        }
        return new Arguments(task, args);
    }

    /** The value of a key; empty where it is absent or null. */
    Optional<JsonNode> value(String key) {
        return Optional.ofNullable(args.get(key)).filter(node -> !node.isNull());
    }

    JsonNode required(String key, String expected) {
        return value(key)
                .orElseThrow(() -> new PermanentFailure(
                        task + ": the argument \"" + key + "\" is missing; it must be " + expected));
    }

    Optional<String> text(String key, String expected) {
        return value(key).map(node -> {
            if (!node.isTextual() || node.textValue().isBlank()) {
                throw wrong(key, expected, node);
            }
            return node.textValue();
        });
    }

    /** @throws PermanentFailure where it is missing, too */
    String requiredText(String key, String expected) {
        required(key, expected);
        return text(key, expected).orElseThrow();
    }

    /** A text, a number or a boolean, as text. */
    Optional<String> scalar(String key, String expected) {
        return value(key).map(node -> {
            if (!node.isValueNode() || node.asText().isBlank()) {
                throw wrong(key, expected, node);
            }
            return node.asText();
        });
    }

    String requiredScalar(String key, String expected) {
        required(key, expected);
        return scalar(key, expected).orElseThrow();
    }

    /** A map with keys of its own; an error in it names both. */
    Optional<Arguments> section(String key, List<String> keys) {
        return value(key).map(node -> of(task + ": " + key, node, keys));
    }

    int integer(String key, int least, int most, int otherwise) {
        return value(key).map(node -> integer(key, node, least, most)).orElse(otherwise);
    }

    private int integer(String key, JsonNode node, int least, int most) {
        if (!node.isIntegralNumber() || !node.canConvertToInt() || node.intValue() < least || node.intValue() > most) {
            throw wrong(key, "a number from " + least + " to " + most, node);
        }
        return node.intValue();
    }

    Duration duration(String key, Duration otherwise) {
        Optional<Duration> given = text(key, "a duration such as 500ms, 30s, 5m or 1h")
                .map(text -> {
                    try {
                        return Durations.parse(text);
                    } catch (InvalidSchedule e) {
                        throw new PermanentFailure(task + ": the argument \"" + key + "\": " + e.getMessage());
                    }
                });
        if (given.filter(Duration::isZero).isPresent()) {
            throw wrong(key, "longer than zero");
        }
        return given.orElse(otherwise);
    }

    /** A list of scalars as text: YAML reads {@code [sleep, 5]} as a text and a number. */
    List<String> texts(String key, String expected) {
        JsonNode node = required(key, expected);
        if (!node.isArray() || node.isEmpty()) {
            throw wrong(key, expected, node);
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : node) {
            if (!element.isValueNode() || element.isNull()) {
                throw wrong(key, expected, node);
            }
            texts.add(element.asText());
        }
        return texts;
    }

    /** A map of names to scalars. Its values may be secrets, so an error names the entry and never quotes its value. */
    Map<String, Optional<String>> entries(String key) {
        Map<String, Optional<String>> entries = new LinkedHashMap<>();
        value(key).ifPresent(node -> {
            if (!node.isObject()) {
                throw wrong(key, "a map of names to texts, not a " + kind(node));
            }
            node.properties().forEach(entry -> {
                JsonNode value = entry.getValue();
                if (!value.isValueNode()) {
                    throw wrong(key, "a map of names to texts, but \"" + entry.getKey() + "\" is a " + kind(value));
                }
                entries.put(
                        entry.getKey(),
                        Optional.of(value).filter(v -> !v.isNull()).map(JsonNode::asText));
            });
        });
        return entries;
    }

    PermanentFailure wrong(String key, String expected, JsonNode value) {
        return wrong(key, expected + ", not " + Excerpt.first(value.toString(), QUOTED));
    }

    PermanentFailure wrong(String key, String expected) {
        return new PermanentFailure(task + ": the argument \"" + key + "\" must be " + expected);
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "list";
            case OBJECT -> "map";
            case STRING -> "text";
            case NUMBER -> "number";
            default -> "value of another kind";
        };
    }
}
