package io.onbeat.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.BeatSettings;
import io.onbeat.config.Settings;
import io.onbeat.schedule.Durations;
import io.onbeat.verify.ComposeFile.Service;
import io.onbeat.worker.WorkerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be said of docker-compose.yml and the images without running them. */
class ComposeFileTest {
    private static final Path ROOT = Path.of(System.getProperty("onbeat.root"));

    private final ComposeFile compose = ComposeFile.read(ROOT.resolve("docker-compose.yml"));
    private final Dockerfile dockerfile = Dockerfile.read(ROOT.resolve("deploy/docker/Dockerfile"));

    ComposeFileTest() throws IOException {}

    @ParameterizedTest
    @ValueSource(strings = {"beat", "beat-standby"})
    void aBeatTakesEverySettingThatItIsGiven(String name) {
        Settings settings = Settings.of(environment(name));
        BeatSettings beat = BeatSettings.read(settings, "beat");
        settings.check();
        assertThat(beat.httpHost()).isEqualTo("0.0.0.0");
    }

    @Test
    void aWorkerTakesEverySettingThatItIsGiven(@TempDir Path tasks) {
        Map<String, String> environment = environment("worker");
        assertThat(environment.replace("ONBEAT_TASKS_DIR", tasks.toString())).isEqualTo("/opt/onbeat/tasks");
        Settings settings = Settings.of(environment);
        WorkerSettings worker = WorkerSettings.read(settings, "worker");
        settings.check();
        assertThat(worker.httpHost()).isEqualTo("0.0.0.0");
        assertThat(Durations.parse(compose.service("worker").text("stop_grace_period")))
                .as("longer than the drain, or a stopping worker is killed before it gives its runs back")
                .isGreaterThan(worker.drain().plusSeconds(10));
    }

    @Test
    void theServersAreGivenThePasswordsThatOursUse() {
        Map<String, String> worker = compose.service("worker").environment();
        assertThat(compose.service("postgres").environment())
                .containsEntry("POSTGRES_USER", worker.get("ONBEAT_DATABASE_USER"))
                .containsEntry("POSTGRES_PASSWORD", worker.get("ONBEAT_DATABASE_PASSWORD"));
        assertThat(compose.service("rabbitmq").environment())
                .containsEntry("RABBITMQ_DEFAULT_USER", worker.get("ONBEAT_AMQP_USER"))
                .containsEntry("RABBITMQ_DEFAULT_PASS", worker.get("ONBEAT_AMQP_PASSWORD"));
    }

    @Test
    void everyPortIsOpenToThisMachineOnly() {
        assertThat(compose.services().values().stream().flatMap(service -> service.ports().stream()))
                .isNotEmpty()
                .allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:"));
    }

    @Test
    void aWorkerHasNothingThatASecondWouldClashWith() {
        Service worker = compose.service("worker");
        assertThat(worker.ports()).isEmpty();
        assertThat(worker.has("container_name")).isFalse();
        assertThat(worker.has("hostname")).isFalse();
    }

    @Test
    void everyServiceIsAskedForItsHealthAndComesBack() {
        compose.services().forEach((name, service) -> {
            boolean inImage = dockerfile.of(service.buildTarget()).stream().anyMatch(line -> line.startsWith("HEALTH"));
            assertThat(inImage || service.has("healthcheck")).as(name).isTrue();
            assertThat(service.text("restart")).as(name).isEqualTo("unless-stopped");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"beat", "worker", "demo-worker"})
    void anImageRunsTheJvmItselfAndNotAsRoot(String target) {
        assertThat(dockerfile.of(target))
                .contains("USER onbeat")
                .anySatisfy(line -> assertThat(line).startsWith("ENTRYPOINT [\"java\","));
    }

    @Test
    void whatIsMountedIsThereAndHoldsTheSchedules() {
        for (Service service : compose.services().values()) {
            for (String volume : service.volumes()) {
                if (volume.startsWith(".")) {
                    assertThat(ROOT.resolve(volume.split(":")[0])).exists();
                }
            }
        }
        Path inContainer = Path.of(environment("beat").get("ONBEAT_SCHEDULES"));
        String folder = compose.service("beat").volumes().stream()
                .filter(volume -> volume.contains(":" + inContainer.getParent() + ":"))
                .map(volume -> volume.split(":")[0])
                .findFirst()
                .orElseThrow();
        assertThat(ROOT.resolve(folder).resolve(inContainer.getFileName())).isRegularFile();
    }

    @Test
    void theConsoleCanMoveMessages() throws IOException {
        assertThat(compose.service("rabbitmq").volumes()).anyMatch(volume -> volume.contains("enabled_plugins"));
        assertThat(Files.readString(ROOT.resolve("deploy/docker/rabbitmq/enabled_plugins")))
                .contains("rabbitmq_shovel,", "rabbitmq_shovel_management");
    }

    /** What the process finds: the image's variables, under those of the service. */
    private Map<String, String> environment(String name) {
        Service service = compose.service(name);
        Map<String, String> environment = new TreeMap<>(dockerfile.environment(service.buildTarget()));
        environment.putAll(service.environment());
        return environment;
    }
}
