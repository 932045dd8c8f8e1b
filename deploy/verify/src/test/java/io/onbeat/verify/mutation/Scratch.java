package io.onbeat.verify.mutation;

import io.onbeat.verify.mutation.Mutation.Probe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A copy of the project's tracked files, in which sources are changed, built, tested and put back. */
final class Scratch implements AutoCloseable {
    private static final long LIMIT_MINUTES = 20;

    private final Path root;
    private final Path folder;
    private final Path log;
    private volatile Optional<Process> running = Optional.empty();

    Scratch(Path root) throws IOException {
        this.root = root;
        this.folder = Files.createTempDirectory("onbeat-mutations");
        this.log = folder.resolve("maven.log");
        for (String file : tracked()) {
            if (Files.exists(root.resolve(file))) {
                Files.createDirectories(folder.resolve(file).getParent());
                Files.copy(root.resolve(file), folder.resolve(file));
            }
        }
    }

    /** What a test came to: whether it passed, and the first thing that it found where it did not. */
    record Verdict(boolean passed, String finding) {}

    /** Runs the tests with these changes in the sources, which are as before afterwards. */
    Verdict test(List<Edit> edits, List<Probe> probes) {
        Map<Path, String> originals = new LinkedHashMap<>();
        try {
            for (Edit edit : edits) {
                Path file = folder.resolve(edit.file());
                originals.putIfAbsent(file, Files.readString(file));
                Files.writeString(file, edit.apply(folder));
            }
            return test(probes);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            originals.forEach(Scratch::write);
        }
    }

    private Verdict test(List<Probe> probes) throws IOException {
        String modules = joined(probes, Probe::module);
        for (String module : modules.split(",")) {
            delete(reports(module));
        }
        int code = maven(
                "-pl",
                modules,
                "-am",
                "package",
                "-Dtest=" + joined(probes, Probe::test),
                "-Dsurefire.failIfNoSpecifiedTests=false",
                "-Dspotless.check.skip=true");
        for (String module : modules.split(",")) {
            Optional<String> finding = Surefire.firstFailure(reports(module));
            if (finding.isPresent()) {
                return new Verdict(false, finding.get());
            }
            if (code == 0 && !Files.isDirectory(reports(module))) {
                throw new IllegalStateException(module + " has none of the tests " + joined(probes, Probe::test));
            }
        }
        if (code != 0) {
            throw new IllegalStateException("Maven ended with " + code + " without a failed test:\n" + tail());
        }
        return new Verdict(true, "");
    }

    private Path reports(String module) {
        return folder.resolve(module).resolve("target/surefire-reports");
    }

    private static String joined(List<Probe> probes, Function<Probe, String> part) {
        return probes.stream().map(part).distinct().collect(Collectors.joining(","));
    }

    private int maven(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        running = Optional.of(process);
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                end(process);
                throw new IllegalStateException("no end after " + LIMIT_MINUTES + " minutes:\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException stopped) {
            end(process);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        } finally {
            running = Optional.empty();
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private List<String> tracked() throws IOException {
        Process git = new ProcessBuilder("git", "ls-files", "-z")
                .directory(root.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (names.isEmpty()) {
            throw new IOException(root + " has no files that git tracks: run this in a clone of the repository");
        }
        return List.of(names.split("\0"));
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        running.ifPresent(process -> {
            end(process);
            process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
        });
        delete(folder);
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
