package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a task tells of its progress can be read while it runs. */
class ProgressTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theNewestIsKeptWithTheRunWhileItGoesOn() {
        CountDownLatch goOn = new CountDownLatch(1);
        rig.start("w", TestTask.of("sync", context -> {
            context.progress(7, "x".repeat(300));
            for (int i = 0; i <= 1000; i++) {
                context.progress(
                        i / 2000.0, i + " with " + context.args().path("secret").asText());
            }
            goOn.await();
            return null;
        }));

        rig.fire(rig.withArgs(rig.run("sync@1", "sync"), "{\"secret\": \"${env:PATH}\"}"));

        await().atMost(WorkerRig.LIMIT)
                .until(
                        () -> rig.ledger.texts("select coalesce(progress::text, '') from run"),
                        List.of("{\"attempt\":1,\"fraction\":0.5,\"note\":\"1000 with ***\"}")::equals);
        assertThat(rig.state("sync@1")).isEqualTo("running");
        goOn.countDown();
        rig.awaitState("sync@1", "succeeded");
    }
}
