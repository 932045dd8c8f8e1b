package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** What a value looks like, in the words of JSON Schema: it writes its keywords into an object that has been opened. */
@FunctionalInterface
interface Shape {
    void write(JsonGenerator json) throws IOException;

    static Shape type(String type) {
        return json -> json.writeStringField("type", type);
    }

    static Shape text() {
        return type("string");
    }

    static Shape matching(String pattern) {
        return json -> {
            text().write(json);
            json.writeStringField("pattern", pattern);
        };
    }

    /** A shape that {@link ScheduleSchema} gives a name. */
    static Shape named(String name) {
        return json -> json.writeStringField("$ref", "#/$defs/" + name);
    }

    static Shape number(String type, double least, double most) {
        return json -> {
            type(type).write(json);
            bound(json, "minimum", least);
            bound(json, "maximum", most);
        };
    }

    private static void bound(JsonGenerator json, String keyword, double value) throws IOException {
        json.writeFieldName(keyword);
        json.writeNumber((long) value);
    }

    static Shape word(Class<? extends Enum<?>> type) {
        return json -> {
            json.writeArrayFieldStart("enum");
            for (String word : Words.all(type)) {
                json.writeString(word);
            }
            json.writeEndArray();
        };
    }

    static Shape list(Shape item, int least) {
        return json -> {
            type("array").write(json);
            object(json, "items", item);
            if (least > 0) {
                json.writeNumberField("minItems", least);
            }
        };
    }

    /** One alone, or a list of them. */
    static Shape oneOrList(Shape item, int least) {
        return json -> {
            json.writeArrayFieldStart("anyOf");
            for (Shape shape : new Shape[] {item, list(item, least)}) {
                json.writeStartObject();
                shape.write(json);
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    /** A map of names to values of this shape. */
    static Shape map(Shape value) {
        return json -> {
            type("object").write(json);
            object(json, "propertyNames", matching(Names.PATTERN));
            object(json, "additionalProperties", value);
        };
    }

    static void object(JsonGenerator json, String field, Shape shape) throws IOException {
        json.writeObjectFieldStart(field);
        shape.write(json);
        json.writeEndObject();
    }
}
