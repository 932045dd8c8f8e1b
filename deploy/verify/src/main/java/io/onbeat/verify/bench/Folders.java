package io.onbeat.verify.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The project's folder, and the one that holds everything of a running benchmark. */
final class Folders {
    private Folders() {}

    static Path root() {
        return Path.of(System.getProperty("onbeat.root", "")).toAbsolutePath().normalize();
    }

    static Path bench() {
        return root().resolve(".onbeat").resolve("bench");
    }

    /** @throws BenchFailure when it is not there */
    static Path built(String jar) {
        Path path = root().resolve(jar);
        if (!Files.exists(path)) {
            throw new BenchFailure(path + " is not built: run ./onbeat bench, which builds it");
        }
        return path;
    }

    static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException unwritable) {
            throw new BenchFailure("cannot write " + file + ": " + unwritable, unwritable);
        }
    }

    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException stillBusy) {
            throw new BenchFailure("cannot remove " + folder + ": " + stillBusy, stillBusy);
        }
    }
}
