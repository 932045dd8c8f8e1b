package io.onbeat.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A main class of ours in a process of its own, with what it prints in a file. */
record JavaProgram(Process process, Path output) implements AutoCloseable {
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    static JavaProgram start(Class<?> main, Path output, String... words) throws IOException {
        return start(Map.of(), main, output, words);
    }

    static JavaProgram start(Map<String, String> environment, Class<?> main, Path output, String... words)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Donbeat.root=" + System.getProperty("onbeat.root", ""), "-cp", classPath()));
        command.add(main.getName());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new JavaProgram(builder.redirectOutput(output.toFile()).start(), output);
    }

    String said() {
        try {
            return Files.readString(output);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
