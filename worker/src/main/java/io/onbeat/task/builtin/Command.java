package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.process.DeathGuard;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A program with its arguments and environment, read from a run. Its text is the program's name: arguments may be secret. */
record Command(
        List<String> argv, Map<String, Optional<String>> environment, Path folder, Duration retryAfter, String marker) {
    static final List<String> KEYS = List.of("command", "env", "cwd", "input", "retry_after");

    /** The variable that every process of one command inherits, and by which {@link io.onbeat.process.ProcessTree} finds them. */
    static final String MARKER = "ONBEAT_EXEC_ID";

    // one variable of more than 128 KB would keep Linux from starting the program
    private static final int LONGEST_VARIABLE = 100_000;

    private static final String ARGV = "a list such as [python3, mail.py] (there is no shell: [sh, -c, …] starts one)";

    private static final String FOLDER = "a folder";
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    // The program waits to be let go: when the worker dies before it has set a guard on it, it never starts.
    private static final List<String> WHEN_LET_GO =
            List.of("sh", "-c", "read -r _ && exec \"$@\" </dev/null", "onbeat");

    /** What {@link #of} reads, without a run's files. */
    static void checkArgs(TaskContext context) {
        Arguments args = Arguments.of(ExecTask.NAME, context.args(), KEYS);
        args.entries("env");
        args.texts("command", ARGV);
        args.text("cwd", FOLDER);
        args.duration("retry_after", RETRY_AFTER);
    }

    static Command of(TaskContext context, RunFolder files) {
        Arguments args = Arguments.of(ExecTask.NAME, context.args(), KEYS);
        String marker = UUID.randomUUID().toString();
        Map<String, Optional<String>> environment = new HashMap<>(args.entries("env"));
        environment.put(MARKER, Optional.of(marker));
        environment.put("ONBEAT_RUN_KEY", Optional.of(context.runKey()));
        environment.put("ONBEAT_FIRE_AT", Optional.of(context.fireTime().toString()));
        environment.put("ONBEAT_ATTEMPT", Optional.of(Integer.toString(context.attempt())));
        environment.put("ONBEAT_SCHEDULE", context.schedule());
        environment.put("ONBEAT_TASK", Optional.of(ExecTask.NAME));
        environment.put("ONBEAT_ARGS", Optional.of(ascii(context.args())).filter(a -> a.length() <= LONGEST_VARIABLE));
        environment.put("ONBEAT_RUN_FILE", Optional.of(files.file().toString()));
        environment.put("ONBEAT_WORK_DIR", Optional.of(files.work().toString()));
        return new Command(
                args.texts("command", ARGV),
                environment,
                args.text("cwd", FOLDER).map(Path::of).orElse(files.work()),
                args.duration("retry_after", RETRY_AFTER),
                marker);
    }

    /** Starts it as far as {@link #letGo}, where the machine can keep it waiting. */
    Process start() throws CommandFailed {
        checkEncodable();
        ProcessBuilder builder = new ProcessBuilder();
        builder.command(DeathGuard.SETSID
                .map(setsid -> Stream.of(List.of(setsid), WHEN_LET_GO, argv)
                        .flatMap(List::stream)
                        .toList())
                .orElse(argv));
        // The worker's own variables hold the passwords of its servers.
        builder.environment().keySet().removeIf(name -> name.startsWith("ONBEAT_"));
        environment.forEach((name, value) -> value.ifPresentOrElse(
                text -> builder.environment().put(name, text),
                () -> builder.environment().remove(name)));
        if (!Files.isDirectory(folder)) {
            throw new CommandFailed(this + " was not started: cwd \"" + folder + "\" is not a folder here");
        }
        builder.directory(folder.toFile());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new CommandFailed(this + " could not be started: " + e.getMessage(), e);
        }
    }

    /** Lets the program begin; it reads nothing from the worker. */
    static void letGo(Process process) {
        try (OutputStream input = process.getOutputStream()) {
            if (DeathGuard.SETSID.isPresent()) {
                input.write('\n');
            }
        } catch (IOException ended) {
            // it was ended while it waited: its exit code tells
            return;
        }
    }

    @Override
    public String toString() {
        return "\"" + argv.get(0) + "\"";
    }

    /** The JVM would hand a program question marks in place of what the machine's locale cannot encode. */
    private void checkEncodable() throws CommandFailed {
        Charset charset = Charset.forName(
                System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));
        Stream<String> values = environment.values().stream().flatMap(Optional::stream);
        if (!Stream.concat(argv.stream(), values).allMatch(charset.newEncoder()::canEncode)) {
            throw new CommandFailed(this + " was not started: the worker's locale (" + charset
                    + ") cannot pass on all of its characters; start the worker with LC_ALL=C.UTF-8");
        }
    }

    private static String ascii(JsonNode json) {
        StringBuilder ascii = new StringBuilder();
        json.toString()
                .chars()
                .forEach(c -> ascii.append(c < 128 ? Character.toString(c) : String.format(Locale.ROOT, "\\u%04x", c)));
        return ascii.toString();
    }
}
