package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A child process that cannot outlive this one: when this process ends in any way, even by {@code kill -9}, the child gets its
 * stop signal, and after its grace the whole of its process group is killed.
 */
public final class GuardedProcess {
    private static final String GUARD = Resource.text("guard.sh");
    private static final String WATCH = Resource.text("watch.sh");
    private static final Duration TO_APPEAR = Duration.ofSeconds(10);
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(2);

    /** The environment is the child's whole environment. */
    public record Spec(
            String name,
            List<String> command,
            Map<String, String> environment,
            Path log,
            Path pidFile,
            String stopSignal,
            Duration grace) {}

    private final Spec spec;
    private final Process guard;
    private final ProcessHandle child;
    private final long logFrom;

    private GuardedProcess(Spec spec, Process guard, ProcessHandle child, long logFrom) {
        this.spec = spec;
        this.guard = guard;
        this.child = child;
        this.logFrom = logFrom;
    }

    /** With a new log; the former one is kept with {@code .1} at the end of its name. */
    public static GuardedProcess start(Spec spec) {
        KeptLog.setAside(spec.log());
        return startAgain(spec);
    }

    /** Goes on in the log that is there. */
    static GuardedProcess startAgain(Spec spec) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "guard"));
        command.add(spec.pidFile().toString());
        command.add(spec.stopSignal());
        command.add(Long.toString(spec.grace().toMillis() / 100));
        command.add(WATCH);
        command.addAll(spec.command());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()));
        builder.environment().clear();
        builder.environment().putAll(spec.environment());
        try {
            Files.createDirectories(spec.log().getParent());
            Files.deleteIfExists(spec.pidFile());
            long logFrom = KeptLog.length(spec.log());
            Process guard = builder.start();
            Within.time(TO_APPEAR, () -> readPid(spec.pidFile()).isPresent() || !guard.isAlive());
            ProcessHandle child =
                    readPid(spec.pidFile()).flatMap(ProcessHandle::of).orElse(guard.toHandle());
            return new GuardedProcess(spec, guard, child, logFrom);
        } catch (IOException cannotStart) {
            throw new ServiceFailure("cannot start " + spec.name() + ": " + cannotStart.getMessage(), cannotStart);
        }
    }

    /** Ends what an earlier, crashed owner of this pid file may have left. Call it only while holding the folder's lock. */
    static void endLeftover(Path pidFile, String stopSignal, Duration grace) {
        leftover(pidFile).ifPresent(process -> {
            signal(stopSignal, process.pid());
            if (!Within.time(grace, () -> !Living.is(process))) {
                killTree(process);
            }
        });
    }

    /** True when {@link #endLeftover} would have something to end. */
    static boolean isLeft(Path pidFile) {
        return leftover(pidFile).isPresent();
    }

    private static Optional<ProcessHandle> leftover(Path pidFile) {
        try {
            // A process that began after the file was written only happens to have the same number.
            Instant written = Files.exists(pidFile)
                    ? Files.getLastModifiedTime(pidFile).toInstant().plus(CLOCK_ERROR)
                    : Instant.EPOCH;
            return readPid(pidFile)
                    .flatMap(ProcessHandle::of)
                    .filter(Living::is)
                    .filter(process -> process.info().startInstant().stream().anyMatch(written::isAfter));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    public long pid() {
        return child.pid();
    }

    public boolean isAlive() {
        return guard.isAlive();
    }

    /** Completed with the exit code, once the child is gone. */
    public CompletableFuture<Integer> onExit() {
        return guard.onExit().thenApply(Process::exitValue);
    }

    /** Of what this process has written. */
    public String logTail(int lines) {
        return LogTail.of(spec.log(), logFrom, lines);
    }

    /** Sends the stop signal without waiting; after the grace the child is killed. */
    public void askToStop() {
        try {
            guard.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // the guard has ended and so has its child
        }
    }

    public void stop() {
        askToStop();
        if (!Within.time(spec.grace().plusSeconds(5), () -> !guard.isAlive())) {
            kill();
        }
    }

    /** As if the process had crashed: no signal that it could act on. Returns when it and all its children are gone. */
    public void kill() {
        killTree(child);
        Within.time(Duration.ofSeconds(10), () -> !guard.isAlive());
        askToStop();
    }

    private static void killTree(ProcessHandle root) {
        List<ProcessHandle> tree =
                Stream.concat(Stream.of(root), root.descendants()).toList();
        signal("KILL", -root.pid());
        tree.forEach(ProcessHandle::destroyForcibly);
        Within.time(Duration.ofSeconds(10), () -> tree.stream().noneMatch(Living::is));
    }

    private static void signal(String name, long pid) {
        Shell.run(List.of("kill", "-s", name, "--", Long.toString(pid)));
    }

    private static Optional<Long> readPid(Path pidFile) {
        try {
            String text = Files.readString(pidFile).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(Long.parseLong(text));
        } catch (IOException | NumberFormatException notThereYet) {
            return Optional.empty();
        }
    }
}
