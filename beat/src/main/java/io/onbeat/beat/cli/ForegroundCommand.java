package io.onbeat.beat.cli;

import io.onbeat.process.DeathGuard;
import io.onbeat.process.ProcessTree;
import io.onbeat.process.ResultLine;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program that does its work while this process holds something for it. It has this process's input and errors, its output
 * is passed on, and nothing that it started outlives it or this process.
 *
 * <p>A signal that ends this process ends the program first, and then waits until its caller has closed it: what became of
 * the program can still be put on record.
 */
final class ForegroundCommand implements AutoCloseable {
    private static final String MARKER = "ONBEAT_HOLD_ID";
    private static final String ANNOUNCED = "echo $$ >\"$1\" && shift && exec \"$@\"";
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Duration TO_RECORD = Duration.ofSeconds(5);

    private final String marker = UUID.randomUUID().toString();
    private final List<String> argv;
    private final ProcessBuilder builder;
    private final PrintWriter out;
    private final DeathGuard guard = new DeathGuard();
    private final Thread hook = new Thread(this::endWithThisProcess, "end-command");
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Object ending = new Object();
    private final StringBuilder line = new StringBuilder();
    private Optional<ProcessTree> tree = Optional.empty();
    private Optional<String> result = Optional.empty();
    private boolean ended;

    /** @param more variables beside those of this process */
    ForegroundCommand(List<String> argv, Map<String, String> more, PrintWriter out) {
        this.out = out;
        this.argv = argv;
        builder = new ProcessBuilder(argv);
        builder.redirectInput(ProcessBuilder.Redirect.INHERIT).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(more);
        builder.environment().put(MARKER, marker);
    }

    /** More variables for it to find; before {@link #run}. */
    void tell(Map<String, String> variables) {
        builder.environment().putAll(variables);
    }

    /**
     * Runs it to its end.
     *
     * @return its exit code
     */
    int run() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(hook);
        Path folder = Files.createTempDirectory("onbeat-hold-");
        Path group = folder.resolve("group");
        try {
            guarded(folder, group);
            return runToItsEnd();
        } finally {
            end();
            guard.dismiss();
            Files.deleteIfExists(group);
            Files.deleteIfExists(folder);
        }
    }

    /** In a session of its own, of which the guard knows before it begins; where the machine has none, without a guard. */
    private void guarded(Path folder, Path group) throws IOException {
        if (DeathGuard.SETSID.isPresent()) {
            guard.prepare();
            guard.watchNext(group, folder);
            List<String> announced =
                    List.of(DeathGuard.SETSID.get(), "sh", "-c", ANNOUNCED, "onbeat", group.toString());
            builder.command(Stream.concat(announced.stream(), argv.stream()).toList());
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            // the process ends, and the hook runs already
        }
    }

    private void endWithThisProcess() {
        try {
            end();
            closed.await(TO_RECORD.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private int runToItsEnd() throws IOException, InterruptedException {
        Optional<Process> started = start();
        if (started.isEmpty()) {
            throw new InterruptedException("it was ended before it was started");
        }
        Process process = started.get();
        Thread reader = new Thread(() -> pass(process), "command-output");
        reader.setDaemon(true);
        reader.start();
        int exit = process.waitFor();
        end();
        reader.join(LAST_WORDS.toMillis());
        return exit;
    }

    private synchronized Optional<Process> start() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        Process process = builder.start();
        tree = Optional.of(new ProcessTree(process, MARKER + "=" + marker));
        return Optional.of(process);
    }

    /** Ends it with all that it started: SIGTERM, and after ten seconds SIGKILL. Returns when nothing is left. */
    void end() {
        synchronized (ending) {
            started().ifPresent(living -> living.end(GRACE));
        }
    }

    /** Once: after that there is nothing to end. */
    private synchronized Optional<ProcessTree> started() {
        Optional<ProcessTree> started = ended ? Optional.empty() : tree;
        ended = true;
        return started;
    }

    /** The last line of its output that is a JSON object or array, as it stands there. */
    synchronized Optional<String> result() {
        return result;
    }

    private void pass(Process process) {
        char[] buffer = new char[8192];
        try (Reader output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
            for (int length = output.read(buffer); length >= 0; length = output.read(buffer)) {
                out.write(buffer, 0, length);
                out.flush();
                take(buffer, length);
            }
        } catch (IOException ended) {
            // the end of the process is the end of its output
        }
        takeLine();
    }

    private synchronized void take(char[] buffer, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer[i] == '\n') {
                takeLine();
            } else if (line.length() <= ResultLine.LONGEST) {
                line.append(buffer[i]);
            }
        }
    }

    private synchronized void takeLine() {
        if (line.length() <= ResultLine.LONGEST) {
            ResultLine.text(line.toString()).ifPresent(json -> result = Optional.of(json));
        }
        line.setLength(0);
    }
}
