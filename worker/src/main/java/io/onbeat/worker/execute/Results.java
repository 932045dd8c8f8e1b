package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.onbeat.task.PermanentFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Turns what a task returned into the JSON that is kept with its run. */
final class Results {
    static final int MOST_BYTES = 64 * 1024;

    private Results() {}

    /** @throws PermanentFailure when it is too large, or no JSON can be made of it: another attempt would end alike */
    static Optional<String> json(Object result, Secrets secrets) {
        if (result == null) {
            return Optional.empty();
        }
        Bounded bytes = new Bounded();
        try {
            TaskJson.MAPPER.writeValue(bytes, result);
            return Optional.of(masked(bytes.text(), secrets));
        } catch (IOException | StackOverflowError failed) {
            // asked of the stream, since a serializer may have wrapped what the stream threw
            if (bytes.overflowed) {
                throw new PermanentFailure(
                        "its result is larger than 64 KB of JSON: keep it elsewhere, and return where");
            }
            String why = failed instanceof JsonProcessingException json ? json.getOriginalMessage() : "it never ends";
            throw new PermanentFailure(
                    "its result, a " + result.getClass().getName() + ", cannot be kept as JSON: " + why, failed);
        }
    }

    // Token by token, so that it stays JSON whatever the secrets are made of; numbers keep their digits.
    private static String masked(String json, Secrets secrets) throws IOException {
        if (secrets.isEmpty()) {
            return json;
        }
        StringWriter masked = new StringWriter();
        try (JsonParser from = TaskJson.MAPPER.createParser(json);
                JsonGenerator to = TaskJson.MAPPER.createGenerator(masked)) {
            for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
                switch (token) {
                    case FIELD_NAME -> to.writeFieldName(secrets.mask(from.getText()));
                    case VALUE_STRING -> to.writeString(secrets.mask(from.getText()));
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> to.writeNumber(from.getText());
                    default -> to.copyCurrentEvent(from);
                }
            }
        }
        return masked.toString();
    }

    /** Stops the writer at the limit, however much there is to write. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean overflowed;

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] more, int offset, int length) throws IOException {
            overflowed = overflowed || bytes.size() + length > MOST_BYTES;
            if (overflowed) {
                throw new IOException("more than " + MOST_BYTES + " bytes");
            }
            bytes.write(more, offset, length);
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
