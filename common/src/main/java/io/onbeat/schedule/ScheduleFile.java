package io.onbeat.schedule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads schedules from a YAML file, or from all {@code .yaml} and {@code .yml} files of a directory. */
public final class ScheduleFile {
    private ScheduleFile() {}

    /** @throws ScheduleErrors with all problems at once; there is no half-read set */
    public static ScheduleSet load(Path fileOrDirectory) {
        return Loading.of(files(fileOrDirectory));
    }

    private static List<Path> files(Path path) {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        if (!Files.isDirectory(path)) {
            throw whole(
                    path,
                    Files.exists(path)
                            ? "is neither a file nor a directory"
                            : "does not exist: give a schedule file or a directory of them");
        }
        try (Stream<Path> entries = Files.list(path)) {
            List<Path> files =
                    entries.filter(ScheduleFile::isScheduleFile).sorted().toList();
            if (files.isEmpty()) {
                throw whole(path, "has no .yaml or .yml file in it");
            }
            return files;
        } catch (IOException e) {
            throw whole(path, "cannot be listed: " + e.getMessage());
        }
    }

    private static boolean isScheduleFile(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml")) && Files.isRegularFile(file);
    }

    private static ScheduleErrors whole(Path path, String message) {
        return new ScheduleErrors(List.of(new Problem(path.toString(), 0, 0, "", message)));
    }
}
