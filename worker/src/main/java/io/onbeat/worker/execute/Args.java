package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.onbeat.task.PermanentFailure;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run's arguments, with <code>${env:NAME}</code> in their texts resolved on this worker, so that no secret enters the
 * ledger or a message.
 */
final class Args {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{env:([^}]*)}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    // a schedule's author is to reach no password of Onbeat's own
    private static final String OWN = "ONBEAT_";

    private Args() {}

    static JsonNode read(String json, UnaryOperator<String> environment) {
        try {
            return resolved(TaskJson.MAPPER.readTree(json), environment);
        } catch (JsonProcessingException wrong) {
            throw new PermanentFailure("its args are not JSON: " + problem(wrong));
        }
    }

    /** @throws PermanentFailure when they do not fit */
    static <T> T as(JsonNode args, Class<T> type) {
        try {
            return TaskJson.MAPPER.treeToValue(args, type);
        } catch (JsonProcessingException | IllegalArgumentException unfit) {
            // without the exception as cause: it quotes the values, and a secret may be among them
            throw new PermanentFailure("its args do not fit " + type.getSimpleName() + ": " + problem(unfit));
        }
    }

    /** What is wrong, without the value where the words are not a task's own: it may be a secret. */
    static String problem(Exception unfit) {
        if (unfit instanceof UnrecognizedPropertyException unknown) {
            return "'" + unknown.getPropertyName() + "' is none of " + unknown.getKnownPropertyIds();
        }
        // the type's own check: its author chose the words
        if (unfit instanceof ValueInstantiationException && unfit.getCause() instanceof RuntimeException refused) {
            return String.valueOf(refused.getMessage());
        }
        String where = unfit instanceof JsonMappingException mapping ? " at " + mapping.getPathReference() : "";
        if (unfit instanceof InvalidFormatException format) {
            return "not a " + format.getTargetType().getSimpleName() + where;
        }
        return unfit instanceof JsonProcessingException json
                ? json.getClass().getSimpleName() + where
                : "not of that type";
    }

    private static JsonNode resolved(JsonNode node, UnaryOperator<String> environment) {
        if (node instanceof TextNode text) {
            return text.textValue().contains("${env:")
                    ? TextNode.valueOf(resolved(text.textValue(), environment))
                    : node;
        }
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                entry.setValue(resolved(entry.getValue(), environment));
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, resolved(array.get(i), environment));
            }
        }
        return node;
    }

    private static String resolved(String text, UnaryOperator<String> environment) {
        Matcher placeholders = PLACEHOLDER.matcher(text);
        StringBuilder resolved = new StringBuilder();
        while (placeholders.find()) {
            placeholders.appendReplacement(
                    resolved, Matcher.quoteReplacement(value(placeholders.group(1), environment)));
        }
        return placeholders.appendTail(resolved).toString();
    }

    private static String value(String name, UnaryOperator<String> environment) {
        if (!NAME.matcher(name).matches()) {
            throw new PermanentFailure("its args name the variable '" + name + "', and that is no name of a variable");
        }
        if (name.startsWith(OWN)) {
            throw new PermanentFailure("its args name " + name + ": Onbeat's own settings are not for tasks");
        }
        String value = environment.apply(name);
        if (value == null) {
            throw new PermanentFailure("its args name " + name + ", which is not set in this worker's environment");
        }
        return value;
    }
}
