package io.onbeat.verify.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A peer's process: it takes a round for each line that it gets, and ends when there are no more of them, however we end. */
final class PeerProcess implements AutoCloseable {
    private static final long GRACE_SECONDS = 30;

    private final Path log;
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    record Round(double perSecond, String version) {}

    private PeerProcess(Path log, Process process) {
        this.log = log;
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static PeerProcess start(List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("ONBEAT_"));
        builder.environment().putAll(environment);
        try {
            return new PeerProcess(log, builder.start());
        } catch (IOException failed) {
            throw new BenchFailure("cannot start " + command.get(0) + ": " + failed.getMessage(), failed);
        }
    }

    /** @throws BenchFailure when it has no figure */
    Round round() {
        try {
            orders.write("round\n");
            orders.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw ended();
            }
            JsonNode round = new ObjectMapper().readTree(answer);
            return new Round(
                    round.get("jobs").asDouble() / round.get("seconds").asDouble(),
                    round.get("version").asText());
        } catch (JsonProcessingException wrong) {
            throw new BenchFailure("it answers what is no JSON: " + wrong.getOriginalMessage(), wrong);
        } catch (IOException gone) {
            throw ended();
        }
    }

    private BenchFailure ended() {
        try (Stream<String> lines = Files.lines(log)) {
            return new BenchFailure("its process has ended: "
                    + lines.reduce((line, next) -> next).orElse("") + " (all of it is in " + log + ")");
        } catch (IOException | UncheckedIOException unreadable) {
            return new BenchFailure("its process has ended, and its log cannot be read: " + unreadable.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            orders.close();
        } catch (IOException gone) {
            // then it needs no sign to end
        }
        try {
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
