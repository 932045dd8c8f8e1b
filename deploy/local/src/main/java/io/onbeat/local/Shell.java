package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Short commands that end by themselves. */
final class Shell {
    private Shell() {}

    record Ended(int code, String output) {
        boolean ok() {
            return code == 0;
        }
    }

    static Ended run(List<String> command) {
        return run(command, System.getenv());
    }

    /** The environment is the command's whole environment. */
    static Ended run(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output);
        } catch (IOException cannotStart) {
            return new Ended(127, cannotStart.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Ended(130, "interrupted");
        }
    }

    /** Like {@link #run}, with the output where the user sees it. */
    static int runVisibly(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
        } catch (IOException cannotStart) {
            throw new UncheckedIOException(cannotStart);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return 130;
        }
    }

    static Optional<Path> find(String program, String... moreFolders) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(moreFolders), Stream.of(path.split(":")))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static boolean isRoot() {
        return run(List.of("id", "-u")).output().strip().equals("0");
    }
}
