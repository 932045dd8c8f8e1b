package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder like a fresh clone that is built, with one folder of examples, in which a command of its page runs. */
final class FreshClone implements AutoCloseable {
    private static final Pattern COMMAND = Pattern.compile("^```sh\n(.*?)\n```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final List<String> BUILT =
            List.of("beat/target", "worker/target", "deploy/local/target", "deploy/examples/tasks/target");

    private final Cluster cluster;
    private final Path folder;
    private final String example;
    private Optional<Process> running = Optional.empty();

    /** @param example a folder below deploy/examples, with its page README.md */
    FreshClone(Cluster cluster, String name, String example) throws IOException {
        this.cluster = cluster;
        this.folder = cluster.folder().resolve(name);
        this.example = "deploy/examples/" + example;
        Files.createDirectories(folder.resolve("deploy/examples/tasks"));
        Files.copy(Processes.root().resolve("onbeat"), folder.resolve("onbeat"), StandardCopyOption.COPY_ATTRIBUTES);
        copy(Processes.root().resolve(this.example), folder.resolve(this.example));
        for (String built : BUILT) {
            Files.createDirectories(folder.resolve(built).getParent());
            Files.createSymbolicLink(folder.resolve(built), Processes.root().resolve(built));
        }
    }

    Path resolve(String path) {
        return folder.resolve(path);
    }

    /** The command of the page that has this text in it. */
    String command(String containing) throws IOException {
        return COMMAND.matcher(Files.readString(folder.resolve(example + "/README.md")))
                .results()
                .map(match -> match.group(1))
                .filter(command -> command.contains(containing))
                .findFirst()
                .orElseThrow();
    }

    /** Starts it on the servers of the cluster. */
    void start(String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        cluster.folder().resolve(folder.getFileName() + ".out").toFile());
        Map<String, String> environment = Processes.environment(cluster.settings());
        builder.environment().clear();
        builder.environment().putAll(environment);
        running = Optional.of(builder.start());
    }

    /** Stops it as by Ctrl-C: nothing of it goes on. */
    void stop() throws InterruptedException {
        Process process = running.orElseThrow();
        List<ProcessHandle> all = process.descendants().toList();
        process.destroy();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        await().atMost(Duration.ofMinutes(1)).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Stops it in whatever way that takes. */
    @Override
    public void close() {
        running.ifPresent(process -> {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            try {
                process.onExit().get(2, TimeUnit.MINUTES);
            } catch (InterruptedException | ExecutionException | TimeoutException stubborn) {
                process.destroyForcibly();
            }
        });
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(file -> !from.relativize(file).startsWith("target"))
                    .toList()) {
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to.resolve(from.relativize(file)));
                } else {
                    Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
