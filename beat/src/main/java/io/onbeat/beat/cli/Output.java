package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
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
            out.println(text);
        }
    }

    /** The whole answer for scripts; people do not see it. */
    void json(JsonBody body) {
        if (!json) {
            return;
        }
        try {
            JsonGenerator generator = JSON.createGenerator(out);
            generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            body.write(generator);
            generator.flush();
            out.println();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole answer as a table, or as a JSON array with an object per row. */
    void table(Table table) {
        table.lines().forEach(this::line);
        json(table::write);
    }
}
