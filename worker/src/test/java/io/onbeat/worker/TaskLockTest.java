package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.task.Lock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskLockTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void oneRunAtATimeHoldsItAndEachTokenIsLarger() {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        rig.start("w", TestTask.of("sync", context -> {
            try (Lock.Held held =
                    context.lock("sync").tryLock(Duration.ofMinutes(1)).orElseThrow()) {
                if (inside.incrementAndGet() > 1) {
                    throw new IllegalStateException("two at once");
                }
                tokens.add(held.token());
                inside.decrementAndGet();
            }
            return null;
        }));

        for (int i = 0; i < 20; i++) {
            rig.fire(rig.run("sync@" + i, "sync"));
        }

        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from run where state = 'succeeded'") == 20);
        assertThat(tokens).hasSize(20).isSorted().doesNotHaveDuplicates();
        assertThat(rig.ledger.number("select count(*) from attempt")).isZero();
    }

    @Test
    void aBusyLockSkipsTheRunWithTheHoldersName() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        rig.start("w", TestTask.of("sync", context -> {
            context.lock("sync").lockOrSkip();
            held.countDown();
            goOn.await();
            return null;
        }));
        rig.fire(rig.run("sync@1", "sync"));
        held.await();
        rig.fire(rig.run("sync@2", "sync"));

        rig.awaitState("sync@2", "skipped");
        assertThat(rig.ledger.texts("select error_message from run where key = 'sync@2'"))
                .containsExactly("lock sync is held by w (sync@1)");

        goOn.countDown();
        rig.awaitState("sync@1", "succeeded");
        // the end of the attempt has let it go
        assertThat(rig.ledger.number("select count(*) from lock")).isZero();
    }

    @Test
    void aTaskThatLosesItsLockIsInterruptedAndFails() {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        rig.start("w", TestTask.of("sync", context -> {
            Lock.Held lock =
                    context.lock("sync").timeToLive(Duration.ofMillis(600)).lockOrSkip();
            held.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
                assertThat(lock.isHeld()).isFalse();
            }
            return null;
        }));
        rig.fire(rig.run("sync@1", "sync", "{\"max_attempts\":1}", 1, Duration.ofMinutes(5)));
        await().atMost(WorkerRig.LIMIT).until(() -> held.getCount() == 0);

        rig.ledger.execute("update lock set holder = gen_random_uuid(), owner = 'a thief'");

        rig.awaitState("sync@1", "dead");
        assertThat(interrupted.getCount()).isZero();
        assertThat(rig.ledger.texts("select error_class || ': ' || error_message from run"))
                .containsExactly("LockLost: lost the lock sync while it was at work: another may hold it since");
        assertThat(rig.ledger.texts("select owner from lock")).containsExactly("a thief");
    }
}
