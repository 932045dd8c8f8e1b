package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.Cancellations;
import io.onbeat.task.TaskContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopReasonsTest {
    private final WorkerRig rig = new WorkerRig();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final Semaphore interrupts = new Semaphore(0);

    @AfterEach
    void close() {
        never.countDown();
        rig.close();
    }

    @Test
    void b31_aTaskThatRunsTooLongIsInterruptedAndHasFailed() {
        rig.start("w", TestTask.of("slow", this::sleep));

        rig.fire(rig.run("slow@1", "slow", "{\"max_attempts\":1}", 1, Duration.ofMillis(300)));

        rig.awaitState("slow@1", "dead");
        assertThat(interrupts.availablePermits()).isEqualTo(1);
        assertThat(rig.ledger.texts("select outcome || ': ' || error_message from attempt"))
                .containsExactly("timed_out: ran longer than its timeout of 300ms");
        assertThat(rig.ledger.texts("select stack_trace from attempt").get(0)).contains("InterruptedException");
    }

    @Test
    void aTaskThatTakesItsInterruptForSuccessHasStillTimedOut() {
        rig.start("w", TestTask.of("swallow", context -> {
            try {
                return sleep(context);
            } catch (InterruptedException swallowed) {
                return "done";
            }
        }));

        rig.fire(rig.run("swallow@1", "swallow", "{\"max_attempts\":1}", 1, Duration.ofMillis(300)));

        rig.awaitState("swallow@1", "dead");
    }

    @Test
    void aCancelledRunIsInterrupted() throws Exception {
        rig.start("w", TestTask.of("slow", this::sleep));
        rig.fire(rig.run("slow@1", "slow"));
        started.await();

        rig.ledger.ledger().transaction(connection -> Cancellations.cancel(connection, "slow@1"));

        rig.awaitState("slow@1", "cancelled");
        assertThat(interrupts.availablePermits()).isEqualTo(1);
        assertThat(rig.ledger.texts("select outcome from attempt")).containsExactly("cancelled");
    }

    @Test
    void aRunThatAnotherOwnerHasIsInterruptedAndItsOutcomeDiscarded() throws Exception {
        Worker worker = rig.start("w", TestTask.of("slow", this::sleep));
        rig.fire(rig.run("slow@1", "slow"));
        started.await();

        rig.ledger.execute("update run set lease_token = gen_random_uuid(), lease_owner = 'other'");

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().lost() == 1);
        assertThat(interrupts.availablePermits()).isEqualTo(1);
        assertThat(rig.state("slow@1")).isEqualTo("running");
        assertThat(rig.ledger.texts("select lease_owner from run")).containsExactly("other");
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void b29_anOutcomeThatComesAfterTheLeaseWasTakenIsDiscarded() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Worker worker = rig.start("w", Map.of("ONBEAT_LEASE_RENEW", "10s"), TestTask.of("late", context -> {
            started.countDown();
            mayEnd.await();
            return "late";
        }));
        rig.fire(rig.run("late@1", "late"));
        started.await();

        rig.ledger.execute("update run set lease_token = gen_random_uuid(), lease_owner = 'other'");
        mayEnd.countDown();

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().lost() == 1);
        assertThat(rig.state("late@1")).isEqualTo("running");
        assertThat(rig.ledger.texts("select count(result) from run")).containsExactly("0");
    }

    @Test
    void aStoppingWorkerGivesBackWhatDoesNotFinish() throws Exception {
        Worker worker = rig.start("w", Map.of("ONBEAT_DRAIN", "200ms"), TestTask.of("slow", this::sleep));
        rig.fire(rig.run("slow@1", "slow"));
        started.await();

        worker.stop();

        assertThat(rig.state("slow@1")).isEqualTo("queued");
        assertThat(rig.ledger.texts("select attempt || ' ' || failures from run"))
                .containsExactly("1 0");
        assertThat(rig.ledger.texts("select kind from outbox")).containsExactly("task");
        assertThat(rig.ledger.texts("select state from worker")).containsExactly("stopped");
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void aStoppingWorkerLetsRunningTasksFinishAndGivesBackUnclaimedMessages() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Worker worker = rig.start(
                "w", Map.of("ONBEAT_QUEUES", "default:1", "ONBEAT_DRAIN", "20s"), TestTask.of("short", context -> {
                    started.countDown();
                    mayEnd.await();
                    return "done";
                }));
        rig.fire(rig.run("short@1", "short"));
        started.await();
        for (int i = 2; i <= 6; i++) {
            rig.fire(rig.run("short@" + i, "short"));
        }

        Thread stopping = new Thread(worker::close);
        stopping.start();
        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.withChannel(channel -> channel.messageCount("onbeat.task.default")) == 5);
        mayEnd.countDown();
        stopping.join();

        assertThat(rig.state("short@1")).isEqualTo("succeeded");
        assertThat(rig.ledger.number("select count(*) from run where state = 'queued'"))
                .isEqualTo(5);
        assertThat(rig.leftAfterStop()).isEqualTo(5);
    }

    @Test
    void aTaskThatIgnoresItsInterruptDoesNotKeepTheWorkerFromStopping() throws Exception {
        Worker worker =
                rig.start("w", Map.of("ONBEAT_DRAIN", "100ms"), TestTask.of("stubborn", this::ignoreInterrupts));
        rig.fire(rig.run("stubborn@1", "stubborn"));
        started.await();

        worker.stop();

        assertThat(rig.state("stubborn@1")).isEqualTo("running");
    }

    @Test
    void b32_aProcessThatEndsGivesBackEvenARunWhoseTaskIgnoresItsInterrupt() throws Exception {
        Worker worker =
                rig.start("w", Map.of("ONBEAT_DRAIN", "100ms"), TestTask.of("stubborn", this::ignoreInterrupts));
        rig.fire(rig.run("stubborn@1", "stubborn"));
        started.await();

        worker.stopForGood();

        assertThat(rig.state("stubborn@1")).isEqualTo("queued");
        assertThat(rig.ledger.texts("select failures from run")).containsExactly("0");
    }

    private Object sleep(TaskContext context) throws InterruptedException {
        started.countDown();
        try {
            never.await();
        } catch (InterruptedException interrupted) {
            interrupts.release();
            assertThat(context.stopping()).isTrue();
            throw interrupted;
        }
        return "not interrupted";
    }

    private Object ignoreInterrupts(TaskContext context) {
        started.countDown();
        while (true) {
            try {
                never.await();
                return "at last";
            } catch (InterruptedException ignored) {
                interrupts.release();
            }
        }
    }
}
