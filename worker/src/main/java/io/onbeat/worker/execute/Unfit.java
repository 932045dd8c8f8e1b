package io.onbeat.worker.execute;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.onbeat.schedule.Nearest;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Why arguments do not fit a type: the field, its value, and what was expected. */
final class Unfit {
    private static final int QUOTED = 80;
    private static final Map<Class<?>, String> KINDS = Map.of(
            int.class, "a whole number",
            Integer.class, "a whole number",
            long.class, "a whole number",
            Long.class, "a whole number",
            double.class, "a number",
            Double.class, "a number",
            boolean.class, "true or false",
            Boolean.class, "true or false",
            String.class, "a text");

    private Unfit() {}

    static String explain(Exception unfit, JsonNode args) {
        if (!(unfit instanceof JsonMappingException mapping)) {
            return "args: " + unfit.getMessage();
        }
        String field = "args" + mapping.getPath().stream().map(Unfit::step).collect(Collectors.joining());
        if (unfit instanceof UnrecognizedPropertyException unknown) {
            List<String> known = unknown.getKnownPropertyIds().stream()
                    .map(String::valueOf)
                    .sorted()
                    .toList();
            return field + ": unknown argument \"" + unknown.getPropertyName() + "\"; known are "
                    + String.join(", ", known) + Nearest.hint(unknown.getPropertyName(), known);
        }
        JsonNode value = at(args, mapping.getPath());
        if (unfit instanceof ValueInstantiationException && unfit.getCause() instanceof RuntimeException refused) {
            return field + ": " + shown(value) + " is refused: " + refused.getMessage();
        }
        if (unfit instanceof MismatchedInputException wrong && wrong.getTargetType() != null) {
            return field + ": " + shown(value) + " is not " + kind(wrong.getTargetType());
        }
        return field + ": " + shown(value) + " does not fit: " + mapping.getOriginalMessage();
    }

    private static String kind(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + List.of(type.getEnumConstants()).stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        return KINDS.getOrDefault(type, "a " + type.getSimpleName());
    }

    private static String step(Reference reference) {
        return reference.getFieldName() == null ? "[" + reference.getIndex() + "]" : "." + reference.getFieldName();
    }

    private static JsonNode at(JsonNode args, List<Reference> path) {
        JsonNode value = args;
        for (Reference each : path) {
            value = each.getFieldName() == null ? value.path(each.getIndex()) : value.path(each.getFieldName());
        }
        return value;
    }

    private static String shown(JsonNode value) {
        String text = value.isMissingNode() ? "what is absent" : value.toString();
        return text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
    }
}
