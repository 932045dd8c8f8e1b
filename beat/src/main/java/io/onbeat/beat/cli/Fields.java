package io.onbeat.beat.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The named values of one thing, in the ledger's words: a JSON object for scripts, a line each for people. */
final class Fields {
    private final Map<String, Object> values = new LinkedHashMap<>();

    Fields add(String name, Object value) {
        values.put(name, value);
        return this;
    }

    Fields addAll(Fields more) {
        values.putAll(more.values);
        return this;
    }

    Map<String, Object> values() {
        return values;
    }

    /** Leaves out what is empty, and the unit that a duration shows by itself. */
    void print(Output output) {
        int width = values.keySet().stream().mapToInt(String::length).max().orElse(0) + 2;
        values.forEach((name, value) -> {
            String label = name.replaceFirst("_ms$", "").replace('_', ' ');
            String[] lines = shown(value).split("\\R");
            for (int i = 0; i < lines.length && !lines[0].isEmpty(); i++) {
                String start = i == 0 ? label : "";
                output.line(start + " ".repeat(width - start.length()) + lines[i]);
            }
        });
    }

    private static String shown(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(Fields::shown).orElse("");
        }
        if (value instanceof Duration duration) {
            return Shown.duration(duration);
        }
        return value instanceof JsonValue.Raw raw ? raw.json() : value.toString();
    }
}
