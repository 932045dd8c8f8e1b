package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    private static final Database DATABASE = new Database("jdbc:postgresql://127.0.0.1:15432/onbeat", "onbeat", "s");
    private static final RabbitServer RABBIT = GivenRabbit.from(Map.of("ONBEAT_AMQP_URL", "amqp://me:pw@127.0.0.1:1/v"))
            .orElseThrow();
    private static final UpOptions OPTIONS = new UpOptions(1, Path.of("/s.yaml"), Path.of("/root"));

    @Test
    void whatTheCallerSetsForBeatAndWorkersReachesThem() {
        assertThat(all(Map.of("ONBEAT_QUEUES", "a,b", "ONBEAT_TASKS_DIR", "/jars", "PATH", "/bin")))
                .containsEntry("ONBEAT_QUEUES", "a,b")
                .containsEntry("ONBEAT_TASKS_DIR", "/jars")
                .containsEntry("PATH", "/bin")
                .containsEntry("ONBEAT_SCHEDULES", "/s.yaml");
        assertThat(all(Map.of("ONBEAT_TASKS_DIR", " ")))
                .containsEntry("ONBEAT_TASKS_DIR", "/root/deploy/examples/tasks/target");
    }

    @Test
    void theServersStartedHereAreReachedWithTheirOwnPasswords() {
        assertThat(all(Map.of(
                        "ONBEAT_DATABASE_USER", "other",
                        "ONBEAT_DATABASE_PASSWORD_FILE", "/other",
                        "ONBEAT_AMQP_USER", "other",
                        "ONBEAT_AMQP_PASSWORD_FILE", "/other")))
                .containsEntry("ONBEAT_DATABASE_USER", "onbeat")
                .containsEntry("ONBEAT_DATABASE_PASSWORD_FILE", "")
                .containsEntry("ONBEAT_AMQP_USER", "me")
                .containsEntry("ONBEAT_AMQP_PASSWORD", "pw")
                .containsEntry("ONBEAT_AMQP_PASSWORD_FILE", "");
        assertThat(all(Map.of("ONBEAT_AMQP_URL", "amqp://127.0.0.1:1/v", "ONBEAT_AMQP_PASSWORD_FILE", "/given")))
                .containsEntry("ONBEAT_AMQP_PASSWORD_FILE", "/given");
    }

    private static Map<String, String> all(Map<String, String> caller) {
        return Environment.of(caller, DATABASE, RABBIT, OPTIONS).all();
    }
}
