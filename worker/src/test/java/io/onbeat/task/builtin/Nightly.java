package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onbeat.task.TaskContext;
import io.onbeat.task.test.TaskTest;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The second attempt of a run of the schedule {@code nightly}. */
final class Nightly {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Nightly() {}

    static TaskTest test(String args) {
        return TaskTest.of(new NoopTask())
                .schedule("nightly")
                .attempt(2)
                .args(args)
                .logger(new RecordingLogger());
    }

    static TaskContext context(String args) {
        return test(args).context();
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String json(Object value) {
        return JSON.valueToTree(value).toString();
    }
}
