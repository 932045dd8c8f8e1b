package io.onbeat.process;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;

/** A line of a program's output that is its result: a JSON object or array. A bare number or word may stand there by chance. */
public final class ResultLine {
    /** A longer line is no result. */
    public static final int LONGEST = 64 * 1024;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ResultLine() {}

    public static Optional<JsonNode> read(String line) {
        String text = line.strip();
        if (!looksLikeIt(text)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(text));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The JSON as it stands there. */
    public static Optional<String> text(String line) {
        return read(line).map(node -> line.strip());
    }

    private static boolean looksLikeIt(String text) {
        return text.startsWith("{") && text.endsWith("}") || text.startsWith("[") && text.endsWith("]");
    }
}
