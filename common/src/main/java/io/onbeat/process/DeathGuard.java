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

    // the group is a number, or a file that the command writes it into: within 10 s, however busy the machine is
    private static final String WATCH = """
            trap '' TERM INT HUP
            read -r group && read -r files || exit
            read -r _
            case $group in
            /*)
                tries=0
                until [ -s "$group" ] || [ "$tries" = 100 ]; do sleep 0.1; tries=$((tries + 1)); done
                read -r group <"$group" || group=0 ;;
            esac
            [ "$group" = 0 ] || kill -KILL "-$group"
            [ -z "$files" ] || { cd / && rm -rf -- "$files"; }""";

    private Optional<Process> shell = Optional.empty();

    /**
     * Makes ready what guards a command. Where the machine has no sessions, there is nothing to kill by.
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
     * Guards a command that was started by {@link #SETSID} and waits to be let go.
     *
     * @param files a folder to remove
     */
    public void watch(Process command, Path files) throws IOException {
        tell(Long.toString(command.pid()), files);
    }

    /**
     * Guards a command that is started after this, by {@link #SETSID} and a shell that first writes its own process id into
     * {@code group}: so it is not without its guard for a moment.
     *
     * @param files a folder to remove
     */
    public void watchNext(Path group, Path files) throws IOException {
        tell(group.toAbsolutePath().toString(), files);
    }

    private void tell(String group, Path files) throws IOException {
        if (shell.isPresent()) {
            OutputStream pipe = shell.get().getOutputStream();
            pipe.write((group + "\n" + files + "\n").getBytes(StandardCharsets.UTF_8));
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
