package io.onbeat.verify.bench;

import io.onbeat.local.GuardedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A beat and workers as processes of their own, from the jars that users run. */
final class OnbeatProcesses implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final Path folder;
    private final Map<String, String> environment;
    private final Optional<Path> profile;
    private final Map<String, GuardedProcess> processes = new LinkedHashMap<>();

    /** @param profile the folder for flight recordings, where they are wanted */
    OnbeatProcesses(Path folder, Map<String, String> environment, Optional<Path> profile) {
        this.folder = folder;
        this.environment = environment;
        this.profile = profile;
    }

    void startBeat(Path schedules) {
        startBeat("beat", schedules);
    }

    /** @param name its id in the ledger, too */
    void startBeat(String name, Path schedules) {
        start(
                name,
                List.of("-jar", Folders.built("beat/target/onbeat-beat.jar").toString(), "beat"),
                Map.of("ONBEAT_SCHEDULES", schedules.toString(), "ONBEAT_BEAT_ID", name));
    }

    void startWorker(int number, int slots) {
        startWorker("worker-" + number, Map.of("ONBEAT_QUEUES", "default:" + slots));
    }

    /** @param name its id in the ledger, too */
    void startWorker(String name, Map<String, String> settings) {
        Map<String, String> more = new HashMap<>(settings);
        more.put("ONBEAT_WORKER_ID", name);
        start(
                name,
                List.of("-jar", Folders.built("worker/target/onbeat-worker.jar").toString()),
                more);
    }

    /** {@code kill -9}; returns when it is gone. */
    void kill(String name) {
        processes.remove(name).kill();
    }

    /** @throws BenchFailure when one of them has ended, with the end of its log */
    void checkAlive() {
        for (GuardedProcess process : processes.values()) {
            if (!process.isAlive()) {
                throw new BenchFailure("a process of Onbeat has ended; the end of its log:\n" + process.logTail(20));
            }
        }
    }

    @Override
    public void close() {
        // all at once: some have a task to wait for
        processes.values().forEach(GuardedProcess::askToStop);
        processes.values().forEach(GuardedProcess::stop);
    }

    private void start(String name, List<String> words, Map<String, String> more) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        profile.ifPresent(into ->
                command.add("-XX:StartFlightRecording=settings=profile,filename=" + into.resolve(name + ".jfr")));
        command.addAll(words);
        Map<String, String> all = new HashMap<>(System.getenv());
        all.keySet().removeIf(variable -> variable.startsWith("ONBEAT_"));
        all.putAll(environment);
        all.put("ONBEAT_HTTP_PORT", "0");
        all.putAll(more);
        processes.put(
                name,
                GuardedProcess.start(new GuardedProcess.Spec(
                        name,
                        command,
                        all,
                        folder.resolve(name + ".log"),
                        folder.resolve(name + ".pid"),
                        "TERM",
                        GRACE)));
    }
}
