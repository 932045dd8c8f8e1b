package io.onbeat.task.builtin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Kills a command's process group when the worker dies without a chance to: otherwise the command would go on beside the
 * next attempt, which another worker starts once the lease is over. A small shell waits for the end of a pipe that only this
 * JVM holds open, and then removes the command's files too.
 */
final class DeathGuard {
    private static final String WATCH = "trap '' TERM INT HUP; read -r _; kill -KILL \"-$0\"; cd / && rm -rf -- \"$1\"";

    private Optional<Process> shell = Optional.empty();

    /** Guards a command that leads a session of its own; where the machine has none, there is nothing to kill by. */
    void watch(Process command, Path files, Logger logger) {
        shell = Command.SETSID.flatMap(setsid -> start(setsid, command, files, logger));
    }

    /** Killed before the pipe closes, so that it never reads the end. */
    void dismiss() {
        shell.ifPresent(Process::destroyForcibly);
    }

    private static Optional<Process> start(String setsid, Process command, Path files, Logger logger) {
        try {
            return Optional.of(
                    new ProcessBuilder(setsid, "sh", "-c", WATCH, Long.toString(command.pid()), files.toString())
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start());
        } catch (IOException e) {
            logger.warn("the command would outlive a worker that is killed: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
