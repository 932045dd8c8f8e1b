package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.TestServices;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandoverTest {
    private final WorkerRig rig = new WorkerRig();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final TestTask task = TestTask.of("long", context -> {
        if (context.runKey().equals("long@1")) {
            started.countDown();
            mayEnd.await();
        }
        return "done";
    });

    @AfterEach
    void close() {
        mayEnd.countDown();
        rig.close();
    }

    @Test
    void b22_aRunThatTakesLongIsAcknowledgedEarlyAndKeptByItsLease() throws Exception {
        rig.start("w", Map.of("ONBEAT_ACK_HANDOVER", "1s"), task);
        rig.fire(rig.run("long@1", "long"));
        started.await();

        String path = "/api/queues/" + rig.vhost.name() + "/onbeat.task.default";
        await().atMost(WorkerRig.LIMIT)
                .until(() -> TestServices.management().get(path).contains("\"messages_unacknowledged\":0"));
        assertThat(rig.state("long@1")).isEqualTo("running");
        mayEnd.countDown();
        rig.awaitState("long@1", "succeeded");
    }

    @Test
    void aMessageThatFindsNoSlotGoesToAnotherWorker() throws Exception {
        Map<String, String> settings = Map.of("ONBEAT_ACK_HANDOVER", "1s", "ONBEAT_QUEUES", "default:1");
        rig.start("busy", settings, task);
        rig.fire(rig.run("long@1", "long"));
        started.await();
        rig.fire(rig.run("long@2", "long"));

        Worker idle = rig.start("idle", settings, task);

        rig.awaitState("long@2", "succeeded");
        assertThat(idle.counts().succeeded()).isEqualTo(1);
    }
}
