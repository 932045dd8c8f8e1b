package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.MDC;

/** What a command writes: streamed to the log line by line, its end kept for an error, its last JSON line as the result. */
final class CommandOutput {
    private static final int TAIL = 4096;
    private static final int LONGEST_LINE = 64 * 1024;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Logger logger;
    private final List<Thread> readers;
    private final StringBuilder tail = new StringBuilder();
    private Optional<JsonNode> result = Optional.empty();

    CommandOutput(Logger logger, Process process) {
        this.logger = logger;
        this.readers = List.of(
                reader("onbeat-exec-stdout", process.getInputStream(), true),
                reader("onbeat-exec-stderr", process.getErrorStream(), false));
    }

    /** Waits for what is still in the pipes, but not for ever: a process that got away may hold them open. */
    void finish() throws InterruptedException {
        long end = System.nanoTime() + LAST_WORDS.toNanos();
        for (Thread reader : readers) {
            reader.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    synchronized String tail() {
        return Excerpt.last(tail.toString().stripTrailing(), TAIL);
    }

    synchronized Optional<JsonNode> result() {
        return result;
    }

    private Thread reader(String name, InputStream stream, boolean mayHoldResult) {
        Map<String, String> logContext =
                Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of());
        Thread thread = new Thread(
                () -> {
                    MDC.setContextMap(logContext);
                    read(stream, mayHoldResult);
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void read(InputStream stream, boolean mayHoldResult) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        boolean whole = true;
        try (stream) {
            for (int length = stream.read(buffer); length >= 0; length = stream.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    if (buffer[i] == '\n') {
                        take(line, mayHoldResult && whole);
                        whole = true;
                    } else {
                        line.write(buffer[i]);
                        if (line.size() == LONGEST_LINE) {
                            take(line, false);
                            whole = false;
                        }
                    }
                }
            }
        } catch (IOException e) {
            logger.debug("the command's output ended early: {}", e.getMessage());
        }
        if (line.size() > 0) {
            take(line, mayHoldResult && whole);
        }
    }

    private synchronized void take(ByteArrayOutputStream line, boolean mayHoldResult) {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        logger.info("{}", text);
        tail.append(text).append('\n');
        if (tail.length() > 2 * TAIL) {
            tail.delete(0, tail.length() - TAIL - 1);
        }
        if (mayHoldResult) {
            json(text.strip()).ifPresent(node -> result = Optional.of(node));
        }
    }

    private static Optional<JsonNode> json(String text) {
        boolean looksLikeIt = text.startsWith("{") && text.endsWith("}") || text.startsWith("[") && text.endsWith("]");
        if (!looksLikeIt) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readTree(text));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
