package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Writes a plain value as JSON. */
final class JsonValue {
    private JsonValue() {}

    /** Text that is JSON already. */
    record Raw(String json) {}

    /** A map is an object, a list an array, a duration its milliseconds; what is unknown is written as its text. */
    static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Optional<?> optional) {
            if (optional.isEmpty()) {
                json.writeNull();
            } else {
                write(json, optional.get());
            }
        } else if (value instanceof Raw raw) {
            json.writeRawValue(raw.json());
        } else if (value instanceof Duration duration) {
            json.writeNumber(duration.toMillis());
        } else if (value instanceof Number || value instanceof Boolean) {
            json.writeRawValue(value.toString());
        } else if (value instanceof Map<?, ?> fields) {
            json.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                json.writeFieldName(field.getKey().toString());
                write(json, field.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(json, item);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }
}
