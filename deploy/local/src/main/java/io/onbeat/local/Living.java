package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells a living process from one that is dead and only waits to be reaped, which takes for ever where nobody reaps orphans. */
final class Living {
    private Living() {}

    static boolean is(ProcessHandle process) {
        return process.isAlive() && !isZombie(process.pid());
    }

    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException noSuchFile) {
            return false;
        }
    }
}
