package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Rows under column names. In JSON a row is an object whose keys are the column names, {@code FIRE TIME} as {@code fire_time}. */
final class Table {
    private static final String GAP = "  ";

    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    Table(String... columns) {
        this.columns = List.of(columns);
    }

    /** A cell is text, a number, a boolean, an Optional of one of them, or anything with a readable toString. */
    Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    Stream<String> lines() {
        int[] widths = columns.stream().mapToInt(String::length).toArray();
        for (List<Object> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], shown(row.get(i)).length());
            }
        }
        return Stream.concat(Stream.of(columns), rows.stream()).map(row -> line(row, widths));
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (List<Object> row : rows) {
            json.writeStartObject();
            for (int i = 0; i < columns.size(); i++) {
                json.writeFieldName(columns.get(i).toLowerCase(Locale.ROOT).replace(' ', '_'));
                JsonValue.write(json, row.get(i));
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static String line(List<?> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = shown(row.get(i));
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private static String shown(Object cell) {
        String text = cell instanceof Optional<?> optional
                ? optional.map(Object::toString).orElse("-")
                : cell.toString();
        return Printable.line(text.replaceAll("\\s*\\R\\s*", " "));
    }
}
