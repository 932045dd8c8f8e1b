package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParentKilledTest {
    @TempDir
    Path folder;

    @Test
    void afterAKillNothingRunsOnAndTheNextStartTakesTheDataOver() throws Exception {
        Set<ProcessHandle> all;
        try (JavaProgram program = JavaProgram.start(
                LocalServicesMain.class, folder.resolve("said"), "start", "--dir", folder.toString())) {
            await().atMost(Duration.ofSeconds(60)).until(() -> program.said().contains("ONBEAT_MANAGEMENT_URL="));
            all = Processes.below(program.process().pid());
            assertThat(Processes.runs(all, "/postgres")).isTrue();
            assertThat(Processes.runs(all, "/beam.smp")).isTrue();
            program.process().destroyForcibly().waitFor();
        }
        LocalPostgres.startOwn(folder.resolve("postgres"), PostgresOptions.fast())
                .discard();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(Processes.living(all)).isEmpty());
    }
}
