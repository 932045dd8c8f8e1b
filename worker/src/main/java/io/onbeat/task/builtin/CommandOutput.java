package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.process.ResultLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.MDC;

/**
 * What a command writes: streamed to the log line by line, its end kept for an error, its last JSON line as the result. No
 * secret of its arguments is in the log or that end.
 */
final class CommandOutput {
    private static final int TAIL = 4096;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final OutputLog log;
    private final UnaryOperator<String> masked;
    private List<Thread> readers = List.of();
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();
    private Optional<JsonNode> result = Optional.empty();

    CommandOutput(OutputLog log, UnaryOperator<String> masked) {
        this.log = log;
        this.masked = masked;
    }

    /** Begins to read, on threads of its own. */
    void read(Process process) {
        readers = List.of(
                reader("onbeat-exec-stdout", process.getInputStream(), output),
                reader("onbeat-exec-stderr", process.getErrorStream(), errors));
    }

    /** Waits for what is still in the pipes, but not for ever: a process that got away may hold them open. */
    void finish() throws InterruptedException {
        long end = System.nanoTime() + LAST_WORDS.toNanos();
        for (Thread reader : readers) {
            reader.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    /** The end of both streams. What went to stderr comes last and has the first claim to the room: there the reason stands. */
    synchronized String tail() {
        String reason = Excerpt.last(errors.toString().stripTrailing(), TAIL);
        String before = Excerpt.last(output.toString().stripTrailing(), TAIL - Math.min(TAIL, reason.length()));
        return (before + "\n" + reason).strip();
    }

    synchronized Optional<JsonNode> result() {
        return result;
    }

    private Thread reader(String name, InputStream stream, StringBuilder tail) {
        Map<String, String> logContext =
                Optional.ofNullable(MDC.getCopyOfContextMap()).orElse(Map.of());
        Thread thread = new Thread(
                () -> {
                    MDC.setContextMap(logContext);
                    read(stream, tail);
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void read(InputStream stream, StringBuilder tail) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        boolean whole = true;
        try (stream) {
            for (int length = stream.read(buffer); length >= 0; length = stream.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    if (buffer[i] == '\n') {
                        take(line, tail, whole);
                        whole = true;
                    } else {
                        line.write(buffer[i]);
                        if (line.size() == ResultLine.LONGEST) {
                            take(line, tail, false);
                            whole = false;
                        }
                    }
                }
            }
        } catch (IOException e) {
            log.endedEarly(e);
        }
        if (line.size() > 0) {
            take(line, tail, whole);
        }
    }

    private synchronized void take(ByteArrayOutputStream line, StringBuilder tail, boolean whole) {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        String shown = masked.apply(text);
        log.line(shown);
        tail.append(shown).append('\n');
        if (tail.length() > 2 * TAIL) {
            tail.delete(0, tail.length() - TAIL - 1);
        }
        if (whole && tail == output) {
            ResultLine.read(text).ifPresent(node -> result = Optional.of(node));
        }
    }
}
