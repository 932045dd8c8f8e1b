package io.onbeat.verify.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the operator of a broker does with its own command line, for a broker that was started in this folder. */
final class RabbitControl {
    private final Path folder;

    RabbitControl(Path folder) {
        this.folder = folder;
    }

    /** For channels that are opened from now on: how long a delivery may stay unacknowledged. */
    void acknowledgementTimeout(long millis) {
        run("eval", "application:set_env(rabbit, consumer_timeout, " + millis + ").");
        run("eval", "application:set_env(rabbit, channel_tick_interval, 1000).");
    }

    /** The broker takes itself to be short of memory, and blocks who publishes. */
    void memoryAlarm() {
        run("set_vm_memory_high_watermark", "0");
    }

    void noMemoryAlarm() {
        run("set_vm_memory_high_watermark", "0.6");
    }

    /** Cuts every client off three times within three seconds, so that each is met again while it comes back. */
    void cutThreeTimes() {
        run("eval", """
                [begin
                    [rabbit_networking:close_connection(C, "restarted") || C <- rabbit_networking:connections()],
                    timer:sleep(1000)
                 end || _ <- lists:seq(1, 3)].""");
    }

    /** Everything that the broker holds; it must not run. */
    void deleteData() {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void run(String... words) {
        try {
            long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
            ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
            List<String> command = new ArrayList<>(List.of(program(server).toString()));
            command.addAll(List.of(words));
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().clear();
            builder.environment().putAll(environment(pid));
            Path said = Files.createTempFile("rabbitmqctl", ".out");
            Process process = builder.redirectOutput(said.toFile()).start();
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", words) + ": " + Files.readString(said));
            }
            Files.delete(said);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    /** Beside the server's own program. */
    private static Path program(ProcessHandle server) {
        return Stream.concat(Stream.of(server), server.descendants())
                .flatMap(process -> process.info().arguments().stream().flatMap(Arrays::stream))
                .filter(word -> word.endsWith("/rabbitmq-server"))
                .map(word -> Path.of(word).resolveSibling("rabbitmqctl"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no rabbitmqctl beside the broker's program"));
    }

    private static Map<String, String> environment(long pid) throws IOException {
        byte[] all = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
        Map<String, String> environment = new HashMap<>();
        for (String entry : new String(all, StandardCharsets.UTF_8).split("\0")) {
            String[] pair = entry.split("=", 2);
            if (pair.length == 2) {
                environment.put(pair[0], pair[1]);
            }
        }
        return environment;
    }
}
