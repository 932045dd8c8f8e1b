package io.onbeat.worker.execute;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.onbeat.task.PermanentFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Turns what a task returned into the JSON that is kept with its run. */
final class Results {
    static final int MOST_BYTES = 64 * 1024;

    private Results() {}

    /** @throws PermanentFailure when it is too large, or no JSON can be made of it: another attempt would end alike */
    static Optional<String> json(Object result) {
        if (result == null) {
            return Optional.empty();
        }
        Bounded bytes = new Bounded();
        try {
            TaskJson.MAPPER.writeValue(bytes, result);
            return Optional.of(bytes.toString(StandardCharsets.UTF_8));
        } catch (ResultTooLarge tooLarge) {
            throw new PermanentFailure("its result is larger than 64 KB of JSON: keep it elsewhere, and return where");
        } catch (IOException | StackOverflowError failed) {
            String why = failed instanceof JsonProcessingException json ? json.getOriginalMessage() : "it never ends";
            throw new PermanentFailure(
                    "its result, a " + result.getClass().getName() + ", cannot be kept as JSON: " + why, failed);
        }
    }

    /** Stops the writer at the limit, however much there is to write. */
    private static final class Bounded extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (count + length > MOST_BYTES) {
                throw new ResultTooLarge();
            }
            super.write(bytes, offset, length);
        }
    }

    private static final class ResultTooLarge extends RuntimeException {}
}
