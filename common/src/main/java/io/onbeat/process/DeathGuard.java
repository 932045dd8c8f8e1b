package io.onbeat.process;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Kills a command's process group when this JVM dies without a chance to: otherwise the command would go on beside the next
 * start of the same work, once the lease is over. A small shell waits for the end of a pipe that only this JVM holds open,
 * and removes the command's files too.
 */
public final class DeathGuard {
    /** Makes a session of its own, and so one process group of all that a command starts; empty where the machine has it not. */
    public static final Optional<String> SETSID = onPath("setsid");

    private static final String WATCH = """
            trap '' TERM INT HUP
            read -r group && read -r files || exit
            read -r _
            kill -KILL "-$group"
            [ -z "$files" ] || { cd / && rm -rf -- "$files"; }""";

    private Optional<Process> shell = Optional.empty();

    /**
     * Makes ready what {@link #watch} needs, so that a command which is started next is not long without its guard. Where the
     * machine has no sessions, there is nothing to kill by.
     *
     * @throws IOException when the command would outlive this JVM
     */
    public void prepare() throws IOException {
        if (SETSID.isPresent()) {
            shell = Optional.of(new ProcessBuilder(SETSID.get(), "sh", "-c", WATCH)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
    }

    /**
     * Guards a command that was started by {@link #SETSID}.
     *
     * @param files a folder to remove
     */
    public void watch(Process command, Optional<Path> files) throws IOException {
        if (shell.isPresent()) {
            String lines = command.pid() + "\n" + files.map(Path::toString).orElse("") + "\n";
            OutputStream pipe = shell.get().getOutputStream();
            pipe.write(lines.getBytes(StandardCharsets.UTF_8));
            pipe.flush();
        }
    }

    /** Killed before the pipe closes, so that it never reads the end. */
    public void dismiss() {
        shell.ifPresent(Process::destroyForcibly);
    }

    private static Optional<String> onPath(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
