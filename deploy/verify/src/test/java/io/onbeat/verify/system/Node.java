package io.onbeat.verify.system;

import static org.awaitility.Awaitility.await;

import io.onbeat.local.GuardedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running beat or worker. */
public record Node(String name, Path logFile, GuardedProcess process) {

    public boolean isAlive() {
        return process.isAlive();
    }

    /** As if its machine had died: nothing in it can act on that. */
    public void kill9() {
        process.kill();
    }

    /** Asks it to stop; returns at once. */
    public void sigterm() {
        process.askToStop();
    }

    public int awaitExit(Duration atMost) {
        return process.onExit()
                .orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    public String log() {
        try {
            return Files.readString(logFile);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public List<String> logLines(String containing) {
        return log().lines().filter(line -> line.contains(containing)).toList();
    }

    public void awaitLog(String text) {
        await().alias(name + " logs '" + text + "'")
                .atMost(Duration.ofSeconds(90))
                .until(() -> log().contains(text));
    }

    public String logTail() {
        return process.logTail(40);
    }
}
