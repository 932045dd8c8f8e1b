package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Writes a schedule's args as JSON: numbers, text and nulls exactly as the file has them. */
final class ArgsJson {
    static final int LARGEST = 1024 * 1024;

    private ArgsJson() {}

    /** @throws InvalidSchedule when the args are no map, or larger than 1 MB in UTF-8 */
    static String of(Node node, Report report) {
        if (!(node instanceof Node.Fields)) {
            throw new InvalidSchedule(node.shown() + " is not a map: write {key: value}");
        }
        String text = Json.write(json -> write(json, node, report));
        if (text.length() > LARGEST || text.getBytes(StandardCharsets.UTF_8).length > LARGEST) {
            throw new InvalidSchedule(
                    "over 1 MB (" + LARGEST + " bytes as JSON): pass a reference to the data instead");
        }
        return text;
    }

    /** Any value as JSON text. */
    static String text(Node node) {
        return Json.write(json -> write(json, node, new Report("")));
    }

    private static void write(JsonGenerator json, Node node, Report report) throws IOException {
        if (node instanceof Node.Text text) {
            json.writeString(text.value());
        } else if (node instanceof Node.Literal literal) {
            json.writeRawValue(literal.json());
        } else if (node instanceof Node.Items items) {
            json.writeStartArray();
            for (Node item : items.values()) {
                write(json, item, report);
            }
            json.writeEndArray();
        } else if (node instanceof Node.Fields fields) {
            writeFields(json, fields, report);
        }
    }

    private static void writeFields(JsonGenerator json, Node.Fields fields, Report report) throws IOException {
        Map<String, Node.Field> seen = new HashMap<>();
        json.writeStartObject();
        for (Node.Field field : fields.fields()) {
            Node.Field first = seen.putIfAbsent(field.key(), field);
            if (first != null) {
                report.add(field.line(), field.column(), "args: " + Section.duplicate(field, first));
                continue;
            }
            json.writeFieldName(field.key());
            write(json, field.value(), report);
        }
        json.writeEndObject();
    }
}
