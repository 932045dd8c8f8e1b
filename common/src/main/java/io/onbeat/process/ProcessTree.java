package io.onbeat.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * All processes that a command started, at any depth. A child whose parent died is nobody's descendant, and one in a session
 * of its own is in no group of ours; so on Linux they are known by the marker in their environment and by their session too.
 */
public final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final Duration KILL = Duration.ofSeconds(10);
    private static final long PAUSE_MS = 20;

    private final Process root;
    private final String marker;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    /** @param marker {@code NAME=value}, in the environment of the command and so of what it starts */
    public ProcessTree(Process root, String marker) {
        this.root = root;
        this.marker = marker;
    }

    /**
     * Asks everything to end (SIGTERM), and after the grace kills what is left (SIGKILL).
     *
     * @return how many processes withstood even that
     */
    public int end(Duration grace) {
        boolean interrupted = Thread.interrupted();
        Set<ProcessHandle> living = living();
        living.forEach(ProcessHandle::destroy);
        for (long end = System.nanoTime() + grace.toNanos(); !living.isEmpty() && System.nanoTime() < end; ) {
            interrupted |= pause();
            living = living();
        }
        for (long end = System.nanoTime() + KILL.toNanos(); !living.isEmpty() && System.nanoTime() < end; ) {
            killGroup();
            living.forEach(ProcessHandle::destroyForcibly);
            interrupted |= pause();
            living = living();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return living.size();
    }

    private Set<ProcessHandle> living() {
        known.add(root.toHandle());
        root.descendants().forEach(known::add);
        if (Files.isDirectory(PROC)) {
            ProcessHandle.allProcesses().filter(this::isOurs).forEach(known::add);
        }
        Set<ProcessHandle> living = new LinkedHashSet<>(known);
        living.removeIf(handle -> !handle.isAlive() || isZombie(handle.pid()));
        return living;
    }

    private boolean isOurs(ProcessHandle handle) {
        return stat(handle.pid(), Stat.SESSION).equals(Long.toString(root.pid()))
                || List.of(read(handle.pid(), "environ").split("\0")).contains(marker);
    }

    private static boolean isZombie(long pid) {
        return stat(pid, Stat.STATE).equals("Z");
    }

    /** The group in one stroke, faster than it can fork. Where there is no session of its own, there is no such group. */
    private void killGroup() {
        try {
            new ProcessBuilder("sh", "-c", "kill -KILL -" + root.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // the processes are killed one by one as well
        }
    }

    /** @return whether the pause was interrupted */
    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Places in /proc/PID/stat behind the program's name, which may hold blanks and brackets itself. */
    private enum Stat {
        STATE,
        PARENT,
        GROUP,
        SESSION
    }

    private static String stat(long pid, Stat field) {
        String line = read(pid, "stat");
        String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
        return fields.length > field.ordinal() ? fields[field.ordinal()] : "";
    }

    // Empty for a process that has ended, or of another user.
    private static String read(long pid, String file) {
        try {
            return new String(
                    Files.readAllBytes(PROC.resolve(Path.of(Long.toString(pid), file))), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
