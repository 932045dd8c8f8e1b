package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the columns of a row in place of <code>${row:column}</code>, each as its place wants it. */
final class RowTexts {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{row:([^}]*)}");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private RowTexts() {}

    @FunctionalInterface
    private interface Written {
        String text(String column);
    }

    /** The columns that the texts of the node name. */
    static Set<String> names(JsonNode node) {
        Set<String> names = new LinkedHashSet<>();
        if (node.isTextual()) {
            PLACEHOLDER.matcher(node.textValue()).results().forEach(found -> names.add(found.group(1)));
        }
        node.forEach(child -> names.addAll(names(child)));
        return names;
    }

    /** Percent-encoded: a value is never more than a part of a path or of a query. */
    static JsonNode inUrl(JsonNode url, JsonNode row) {
        return url.isTextual()
                ? TextNode.valueOf(filled(
                        url.textValue(),
                        column -> URLEncoder.encode(present(row, column), StandardCharsets.UTF_8)
                                .replace("+", "%20")))
                : url;
    }

    static JsonNode inHeaders(JsonNode headers, JsonNode row) {
        if (headers.isTextual()) {
            return TextNode.valueOf(filled(headers.textValue(), column -> present(row, column)));
        }
        if (!headers.isObject()) {
            return headers;
        }
        ObjectNode all = NODES.objectNode();
        for (var header : headers.properties()) {
            all.set(header.getKey(), inHeaders(header.getValue(), row));
        }
        return all;
    }

    /** A text that is a placeholder and nothing else becomes the column's value as it is: a number stays one. */
    static JsonNode inBody(JsonNode body, JsonNode row) {
        if (body.isTextual()) {
            Matcher whole = PLACEHOLDER.matcher(body.textValue());
            return whole.matches()
                    ? row.path(whole.group(1))
                    : TextNode.valueOf(filled(body.textValue(), column -> text(row.path(column))));
        }
        if (body.isObject()) {
            ObjectNode all = NODES.objectNode();
            for (var entry : body.properties()) {
                all.set(entry.getKey(), inBody(entry.getValue(), row));
            }
            return all;
        }
        if (body.isArray()) {
            ArrayNode all = NODES.arrayNode();
            for (JsonNode element : body) {
                all.add(inBody(element, row));
            }
            return all;
        }
        return body;
    }

    private static String filled(String text, Written written) {
        Matcher placeholders = PLACEHOLDER.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (placeholders.find()) {
            placeholders.appendReplacement(filled, Matcher.quoteReplacement(written.text(placeholders.group(1))));
        }
        return placeholders.appendTail(filled).toString();
    }

    private static String present(JsonNode row, String column) {
        JsonNode value = row.path(column);
        if (value.isNull()) {
            throw new RowColumnMissing(column);
        }
        return text(value);
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.isNull() ? "" : value.asText();
    }
}
