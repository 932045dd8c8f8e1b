package io.onbeat.task.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;

/**
 * The files of one attempt of a command, for the worker's user alone: its run as JSON, and an empty folder to work in. They
 * are gone when the attempt has ended.
 */
record RunFolder(Path path) {

    /** In the folder for temporary files of this JVM. */
    static RunFolder create(TaskContext context) throws IOException {
        RunFolder folder = new RunFolder(Files.createTempDirectory("onbeat-run-"));
        Files.createDirectory(folder.work());
        Files.writeString(folder.file(), json(context).toString());
        return folder;
    }

    Path file() {
        return path.resolve("run.json");
    }

    Path work() {
        return path.resolve("work");
    }

    void delete(Logger logger) {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    // a command may have taken its own rights away
                    boolean open =
                            folder.toFile().setWritable(true) && folder.toFile().setExecutable(true);
                    return open && folder.toFile().setReadable(true)
                            ? FileVisitResult.CONTINUE
                            : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException failed) throws IOException {
                    Files.deleteIfExists(folder);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException left) {
            logger.warn("the command's working folder could not be removed: {}", left.toString());
        }
    }

    private static JsonNode json(TaskContext context) {
        ObjectNode run = JsonNodeFactory.instance.objectNode();
        run.put("run_key", context.runKey());
        run.put("schedule", context.schedule().orElse(null));
        run.put("task", ExecTask.NAME);
        run.put("fire_at", context.fireTime().toString());
        run.put("attempt", context.attempt());
        run.put("max_attempts", context.maxAttempts());
        run.set("args", context.args());
        return run;
    }
}
