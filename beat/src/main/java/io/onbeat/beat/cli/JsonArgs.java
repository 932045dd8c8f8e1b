package io.onbeat.beat.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.onbeat.message.MessageCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The value of {@code --args}: a JSON object, or {@code @} and the file that holds one. */
final class JsonArgs {
    // a message puts them one level deeper, and its reader has a limit of 1000
    private static final int DEEPEST = 500;
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private JsonArgs() {}

    static String read(String option) {
        String text = option.startsWith("@") ? file(option.substring(1)) : option;
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MessageCodec.MOST_ARGS_BYTES) {
            throw new UsageError("--args: " + bytes + " bytes are over 1 MB: pass a reference to the data instead");
        }
        try (JsonParser json = JSON.createParser(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw wrong(text, "is no JSON object");
            }
            json.skipChildren();
            if (json.nextToken() != null) {
                throw wrong(text, "goes on after the JSON object");
            }
        } catch (JsonProcessingException broken) {
            throw wrong(text, "is no JSON object (" + Printable.brief(broken.getOriginalMessage(), 150) + ")");
        } catch (IOException impossible) {
            throw wrong(text, "cannot be read");
        }
        return text.strip();
    }

    private static String file(String path) {
        try {
            Path file = Path.of(path);
            if (Files.size(file) > 2 * MessageCodec.MOST_ARGS_BYTES) {
                throw new UsageError("--args: " + path + " is over 1 MB: pass a reference to the data instead");
            }
            return Files.readString(file);
        } catch (IOException | RuntimeException unreadable) {
            if (unreadable instanceof UsageError error) {
                throw error;
            }
            throw new UsageError(
                    "--args: cannot read \"" + path + "\" as UTF-8 text: give @ and the path of a JSON file");
        }
    }

    private static UsageError wrong(String text, String why) {
        return new UsageError(
                "--args: \"" + Printable.brief(text, 60) + "\" " + why + ": write '{\"name\": \"value\"}'");
    }
}
