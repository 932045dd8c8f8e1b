package io.onbeat.verify.system;

import io.onbeat.fault.CrashPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A point at which one thread of a process stands still, for as long as there is a file. */
record Freeze(CrashPoint point, int passing, Path file) {
    static Freeze at(CrashPoint point, Cluster cluster) {
        return at(point, 1, cluster);
    }

    /** @param passing from 1 */
    static Freeze at(CrashPoint point, int passing, Cluster cluster) {
        try {
            return new Freeze(point, passing, Files.createTempFile(cluster.folder(), "freeze", ""));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The settings of a process that is to stand still there. */
    Map<String, String> settings() {
        return settings(Map.of());
    }

    Map<String, String> settings(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(others);
        all.put("JAVA_TOOL_OPTIONS", "-Donbeat.freeze-at=" + point + "#" + passing + " -Donbeat.freeze-while=" + file);
        return all;
    }

    void awaitIn(Node node) {
        node.awaitLog("standing still at " + point);
    }

    void end() {
        try {
            Files.delete(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
