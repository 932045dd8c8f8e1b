package io.onbeat.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;

/** The schedule file as a JSON Schema, for editors: made of the keys that the reader knows. */
public final class ScheduleSchema {
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private ScheduleSchema() {}

    /** The schema (draft 2020-12), indented, with a line break at its end. */
    public static String json() {
        return Json.write(json -> {
                    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
                    json.setPrettyPrinter(
                            new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines));
                    json.writeStartObject();
                    json.writeStringField("$schema", DIALECT);
                    json.writeStringField("title", "Onbeat schedule file");
                    map(json, Keys.TOP);
                    anyOf(json, "schedules", "calendars", "tasks");
                    json.writeObjectFieldStart("$defs");
                    definitions(json);
                    json.writeEndObject();
                    json.writeEndObject();
                })
                + "\n";
    }

    private static void definitions(JsonGenerator json) throws IOException {
        Shape.object(json, "schedule", ScheduleSchema::schedule);
        Shape.object(json, "defaults", body -> map(body, Keys.DEFAULTS));
        Shape.object(json, "retry", ScheduleSchema::retry);
        Shape.object(json, "alert", body -> map(body, Keys.ALERT));
        Shape.object(json, "task", body -> map(body, Keys.TASK));
        Shape.object(json, "name", Shape.matching(Names.PATTERN));
        Shape.object(json, "duration", Shape.matching(Durations.PATTERN));
        Shape.object(json, "instant", Shape.matching(Instants.PATTERN));
        Shape.object(json, "cron", Shape.matching(CronParser.PATTERN));
        Shape.object(json, "dates", Shape.matching(DateRange.PATTERN));
    }

    private static void schedule(JsonGenerator json) throws IOException {
        map(json, Keys.SCHEDULE);
        json.writeArrayFieldStart("oneOf");
        for (String rule : SpecReader.RULES) {
            required(json, rule);
        }
        json.writeEndArray();
        never(json, "at", "from");
    }

    private static void retry(JsonGenerator json) throws IOException {
        map(json, Keys.RETRY);
        never(json, "delays", "initial");
        json.writeObjectFieldStart("dependentRequired");
        for (String needing : List.of("factor", "max")) {
            json.writeArrayFieldStart(needing);
            json.writeString("initial");
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void map(JsonGenerator json, Keys keys) throws IOException {
        json.writeStringField("type", "object");
        json.writeBooleanField("additionalProperties", false);
        List<String> required =
                keys.all().stream().filter(Key::required).map(Key::name).toList();
        if (!required.isEmpty()) {
            names(json, "required", required);
        }
        json.writeObjectFieldStart("properties");
        for (Key key : keys.all()) {
            Shape.object(json, key.name(), property -> {
                property.writeStringField("description", key.meaning());
                key.shape().write(property);
                if (key.otherwise().isPresent()) {
                    property.writeFieldName("default");
                    property.writeRawValue(asJson(key.otherwise().get()));
                }
            });
        }
        json.writeEndObject();
    }

    private static void anyOf(JsonGenerator json, String... keys) throws IOException {
        json.writeArrayFieldStart("anyOf");
        for (String key : keys) {
            required(json, key);
        }
        json.writeEndArray();
    }

    private static void never(JsonGenerator json, String... together) throws IOException {
        json.writeObjectFieldStart("not");
        names(json, "required", List.of(together));
        json.writeEndObject();
    }

    private static void required(JsonGenerator json, String key) throws IOException {
        json.writeStartObject();
        names(json, "required", List.of(key));
        json.writeEndObject();
    }

    private static void names(JsonGenerator json, String field, List<String> names) throws IOException {
        json.writeArrayFieldStart(field);
        for (String name : names) {
            json.writeString(name);
        }
        json.writeEndArray();
    }

    private static String asJson(String yaml) {
        try (JsonParser tokens = Yaml.parser(new StringReader(yaml))) {
            return ArgsJson.text(new NodeReader(tokens).read().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (MalformedFile e) {
            throw new IllegalStateException("a default is not YAML: " + yaml, e);
        }
    }
}
