package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** Where a command prints: a table or lines for people, JSON for scripts. */
final class Output {
    private static final JsonFactory JSON = new JsonFactory();

    private final PrintWriter out;
    private final boolean json;

    Output(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    @FunctionalInterface
    interface JsonBody {
        void write(JsonGenerator generator) throws IOException;
    }

    boolean isJson() {
        return json;
    }

    /** A line for people; scripts do not see it. */
    void line(String text) {
        if (!json) {
            out.println(Printable.line(text));
        }
    }

    /** The whole answer for scripts; people do not see it. */
    void json(JsonBody body) {
        if (!json) {
            return;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            body.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(Printable.json(text.toString()));
    }

    /** The whole answer for scripts, as a plain value: see {@link JsonValue}. */
    void answer(Object value) {
        json(generator -> JsonValue.write(generator, value));
    }

    /** A table for people, or {@code otherwise} where it has no rows. */
    void people(Table table, String otherwise) {
        if (table.isEmpty()) {
            line(otherwise);
        } else {
            table.lines().forEach(this::line);
        }
    }

    /** Lets what was printed be seen now. */
    void flush() {
        out.flush();
    }

    /** The whole answer as a table, or as a JSON array with an object per row. */
    void table(Table table) {
        table.lines().forEach(this::line);
        json(table::write);
    }
}
