package io.onbeat.verify.system;

import io.onbeat.local.GuardedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts the jars as a user would, each a process of its own that cannot outlive this one. */
public final class Processes {
    private static final Duration STOP_GRACE = Duration.ofSeconds(30);
    // a small heap and a quick start: many of them share this machine; and a zone and a locale that nothing may lean on
    private static final List<String> JVM = List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Duser.timezone=Pacific/Chatham",
            "-Duser.language=tr",
            "-Duser.country=TR");

    private Processes() {}

    public static Path root() {
        return Path.of(System.getProperty("onbeat.root", "../.."))
                .toAbsolutePath()
                .normalize();
    }

    static Path beatJar() {
        return root().resolve("beat/target/onbeat-beat.jar");
    }

    static Path workerJar() {
        return root().resolve("worker/target/onbeat-worker.jar");
    }

    static Node start(String name, Path jar, List<String> words, Map<String, String> settings, Path logs) {
        return new Node(
                name,
                logs.resolve(name + ".log"),
                GuardedProcess.start(new GuardedProcess.Spec(
                        name,
                        command(jar, words),
                        environment(settings),
                        logs.resolve(name + ".log"),
                        logs.resolve(name + ".pid"),
                        "TERM",
                        STOP_GRACE)));
    }

    static List<String> command(Path jar, List<String> words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(words);
        return command;
    }

    /** What this process has, without settings of Onbeat's that a developer may have set. */
    static Map<String, String> environment(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("ONBEAT_"));
        environment.putAll(settings);
        return environment;
    }
}
