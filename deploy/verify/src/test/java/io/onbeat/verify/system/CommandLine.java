package io.onbeat.verify.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as its user has it: words in, text and an exit code out. */
final class CommandLine {
    private CommandLine() {}

    record Answer(int exitCode, String out, String err) {}

    static Answer run(Path folder, Map<String, String> settings, String... words) {
        try {
            Path out = Files.createTempFile(folder, "command", ".out");
            Path err = Files.createTempFile(folder, "command", ".err");
            ProcessBuilder builder = new ProcessBuilder(Processes.command(Processes.beatJar(), List.of(words)))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().putAll(Processes.environment(settings));
            Process process = builder.start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("onbeat " + String.join(" ", words) + " did not end in 60 s");
            }
            return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
