package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.config.ServerSettings;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerProcessTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/health");
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void wrongSettingsEndItWithALineEach() throws Exception {
        Process process = start(Map.of("ONBEAT_QUEUES", "default", "ONBEAT_QEUES", "x", "ONBEAT_LEASE", "never"));

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(output().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("ONBEAT_QUEUES 'default' is not like"))
                .anyMatch(line -> line.startsWith("ONBEAT_QEUES is no setting"))
                .anyMatch(line -> line.startsWith("ONBEAT_LEASE 'never'"));
    }

    @Test
    void itRunsUntilItIsToldToEnd() throws Exception {
        try (WorkerRig rig = new WorkerRig()) {
            Map<String, String> environment = new HashMap<>();
            environment.put(ServerSettings.DATABASE_URL, rig.ledger.settings().url());
            environment.put(ServerSettings.DATABASE_USER, rig.ledger.settings().user());
            environment.put(
                    ServerSettings.DATABASE_PASSWORD, rig.ledger.settings().password());
            environment.put(ServerSettings.AMQP_URL, rig.vhost.amqpUrl());
            environment.put(WorkerSettingNames.HTTP_PORT, "0");

            Process process = start(environment);
            await().atMost(WorkerRig.LIMIT)
                    .until(() -> ADDRESS.matcher(output()).find());
            await().atMost(WorkerRig.LIMIT).until(() -> status("/health") == 200);
            rig.fire(rig.run("noop@1", "noop"));
            rig.awaitState("noop@1", "succeeded");
            assertThat(page("/metrics"))
                    .contains("onbeat_runs_claimed_total 1.0")
                    .contains("onbeat_runs_finished_total{state=\"succeeded\"} 1.0")
                    .contains("onbeat_running 0.0")
                    .contains("onbeat_claim_seconds_count");
            process.destroy();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(rig.ledger.texts("select state from worker")).containsExactly("stopped");
            assertThat(output()).doesNotContain(rig.ledger.settings().password());
        }
    }

    private Process start(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.onbeat.worker.WorkerMain");
        builder.environment().keySet().removeIf(name -> name.startsWith("ONBEAT_"));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    private HttpURLConnection open(String path) throws IOException {
        Matcher address = ADDRESS.matcher(output());
        assertThat(address.find()).isTrue();
        return (HttpURLConnection) URI.create("http://127.0.0.1:" + address.group(1) + path)
                .toURL()
                .openConnection();
    }

    private int status(String path) throws IOException {
        return open(path).getResponseCode();
    }

    private String page(String path) throws IOException {
        return new String(open(path).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
