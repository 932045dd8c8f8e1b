package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A wall clock that a test steps while processes run by it: those that were started with its environment. Time that has elapsed
 * they measure as ever, and files have their true times, as on a machine whose clock is set anew.
 */
public final class FakeTime {
    // the one for programs with threads
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private final Path library;
    private final Path file;

    private FakeTime(Path library, Path file) {
        this.library = library;
        this.file = file;
        step(Duration.ZERO);
    }

    /**
     * A clock that is right at first.
     *
     * @param file where its offset is kept
     * @throws ServiceFailure when libfaketime cannot be had on this machine
     */
    public static FakeTime in(Path file) {
        Path library = find().orElseGet(() -> {
            DebianPackages.install("libfaketime");
            return find().orElseThrow(() -> new ServiceFailure("libfaketime brought no " + LIBRARY));
        });
        return new FakeTime(library, file.toAbsolutePath());
    }

    /** Sets it to the true time plus this, for running processes too. */
    public void step(Duration offset) {
        try {
            // in one step: every look at the clock reads the file
            Path half = Files.writeString(
                    file.resolveSibling(file.getFileName() + ".half"),
                    (offset.isNegative() ? "" : "+") + offset.toSeconds() + "\n");
            Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What a process that runs by this clock needs in its environment. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "NO_FAKE_STAT", "1",
                "DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // else every timed wait of a Java program ends at once, and it spins
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    private static Optional<Path> find() {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
        return Stream.of("/usr/lib/" + machine + "-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib")
                .map(folder -> Path.of(folder, LIBRARY))
                .filter(Files::isReadable)
                .findFirst();
    }
}
