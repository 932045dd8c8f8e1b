package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a crashed {@code onbeat up} left running: its beat and workers may still be finishing their runs, and its servers ending. */
final class Leftovers {
    private static final List<String> SERVERS = List.of("postgres/pid", "rabbitmq/pid");

    private Leftovers() {}

    /** Ends beat and workers, and says so first. The servers end their own leftovers when they start. */
    static void end(Path folder, Duration grace, Screen screen) {
        List<Path> processes = pidFiles(folder);
        List<Path> living = Stream.concat(processes.stream(), SERVERS.stream().map(folder::resolveSibling))
                .filter(GuardedProcess::isLeft)
                .toList();
        if (!living.isEmpty()) {
            screen.line("ending what a former up left behind, up to " + grace.toSeconds() + " s: "
                    + living.stream().map(Leftovers::name).collect(Collectors.joining(", ")));
        }
        processes.forEach(file -> GuardedProcess.endLeftover(file, "TERM", grace));
    }

    private static List<Path> pidFiles(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".pid"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new ServiceFailure("cannot read " + folder + ": " + unreadable, unreadable);
        }
    }

    private static String name(Path pidFile) {
        String file = pidFile.getFileName().toString();
        return file.equals("pid") ? pidFile.getParent().getFileName().toString() : file.replaceFirst("\\.pid$", "");
    }
}
