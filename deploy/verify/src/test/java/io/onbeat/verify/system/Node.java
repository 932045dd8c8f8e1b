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
record Node(String name, Path logFile, GuardedProcess process) {

    boolean isAlive() {
        return process.isAlive();
    }

    /** As if its machine had died: nothing in it can act on that. */
    void kill9() {
        process.kill();
    }

    /** Asks it to stop; returns at once. */
    void sigterm() {
        process.askToStop();
    }

    int awaitExit(Duration atMost) {
        return process.onExit()
                .orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    String log() {
        try {
            return Files.readString(logFile);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    List<String> logLines(String containing) {
        return log().lines().filter(line -> line.contains(containing)).toList();
    }

    void awaitLog(String text) {
        await().alias(name + " logs '" + text + "'")
                .atMost(Duration.ofSeconds(90))
                .until(() -> log().contains(text));
    }

    String logTail() {
        return process.logTail(40);
    }
}
