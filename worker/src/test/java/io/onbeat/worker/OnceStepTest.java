package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.task.Step;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OnceStepTest {
    private final WorkerRig rig = new WorkerRig();
    private final AtomicInteger charged = new AtomicInteger();

    @BeforeEach
    void businessTable() {
        rig.ledger.execute("create table public.account (points int not null)");
        rig.ledger.execute("insert into public.account values (0)");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aFinishedStepIsNotDoneAgainAndItsResultIsKept() {
        List<Map<?, ?>> receipts = Collections.synchronizedList(new ArrayList<>());
        rig.start("w", TestTask.of("charge", context -> {
            receipts.add(context.once(
                    Step.ofRun("charge"), Map.class, start -> Map.of("receipt", charged.incrementAndGet())));
            if (context.attempt() < 3) {
                throw new IllegalStateException("after the step");
            }
            return null;
        }));

        rig.fire(rig.run("charge@1", "charge"));

        rig.awaitState("charge@1", "succeeded");
        assertThat(charged).hasValue(1);
        assertThat(receipts)
                .hasSize(3)
                .allSatisfy(receipt -> assertThat(receipt.get("receipt")).isEqualTo(1));
    }

    @Test
    void aStartWithoutAFinishIsDoneAgainAndToldSo() {
        List<Integer> starts = Collections.synchronizedList(new ArrayList<>());
        rig.start(
                "w",
                TestTask.of(
                        "charge",
                        context -> context.once(Step.ofRun("charge"), Map.class, start -> {
                            starts.add(start);
                            if (start == 1) {
                                throw new IllegalStateException("did the bank get it?");
                            }
                            return Map.of();
                        })));

        rig.fire(rig.run("charge@1", "charge"));

        rig.awaitState("charge@1", "succeeded");
        assertThat(starts).containsExactly(1, 2);
        assertThat(rig.ledger.texts("select key || ' ' || starts from once")).containsExactly("run:charge@1#charge 2");
    }

    @Test
    void aStepOfTheTaskIsDoneOnceAmongAllItsRuns() {
        rig.start("w", TestTask.of("bill", context -> {
            context.once(Step.ofTask("invoice-4711"), Integer.class, start -> charged.incrementAndGet());
            context.once(Step.ofRun("own"), Integer.class, start -> charged.addAndGet(100));
            return null;
        }));

        for (int i = 0; i < 10; i++) {
            rig.fire(rig.run("bill@" + i, "bill"));
        }

        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from run where state = 'succeeded'") == 10);
        assertThat(charged).hasValue(1_001);
    }

    @Test
    void whoMeetsALiveOwnerWaitsForItsResult() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        rig.start(
                "w",
                TestTask.of(
                        "bill",
                        context -> context.once(Step.ofTask("invoice"), Integer.class, start -> {
                            first.countDown();
                            goOn.await();
                            return charged.incrementAndGet();
                        })));
        rig.fire(rig.run("bill@1", "bill"));
        first.await();
        rig.fire(rig.run("bill@2", "bill"));
        rig.awaitState("bill@2", "running");

        goOn.countDown();

        rig.awaitState("bill@1", "succeeded");
        rig.awaitState("bill@2", "succeeded");
        assertThat(charged).hasValue(1);
        assertThat(rig.ledger.texts("select result from run")).containsExactly("1", "1");
    }

    @Test
    void anOwnerThatIsGoneIsFollowedAndItsFinishIsRefused() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch wakesUp = new CountDownLatch(1);
        List<String> ends = Collections.synchronizedList(new ArrayList<>());
        rig.start("w", Map.of("ONBEAT_LEASE_RENEW", "10s"), TestTask.of("bill", context -> {
            try {
                return context.once(Step.ofTask("invoice"), Integer.class, start -> {
                    if (context.runKey().equals("bill@1")) {
                        stuck.countDown();
                        wakesUp.await();
                    }
                    return charged.incrementAndGet();
                });
            } catch (Exception failed) {
                ends.add(context.runKey() + " " + failed.getClass().getSimpleName());
                throw failed;
            }
        }));
        rig.fire(rig.run("bill@1", "bill"));
        stuck.await();
        // as recovery leaves it when the lease has lapsed
        rig.ledger.execute("update run set state = 'retrying', lease_token = null where key = 'bill@1'");

        rig.fire(rig.run("bill@2", "bill"));
        rig.awaitState("bill@2", "succeeded");
        wakesUp.countDown();

        await().atMost(WorkerRig.LIMIT).until(() -> ends.contains("bill@1 LeaseLost"));
        assertThat(rig.ledger.texts("select run_key || ' ' || result from once"))
                .containsExactly("bill@2 1");
    }

    @Test
    void insideATransactionTheStepAndItsWritesAreOne() {
        rig.start(
                "w",
                TestTask.of(
                        "settle",
                        context -> context.transaction(connection -> {
                            context.once(connection, Step.ofTask("points"), Integer.class, c -> addPoint(c));
                            if (context.attempt() == 1 && context.runKey().equals("settle@1")) {
                                throw new IllegalStateException("rolled back");
                            }
                            return null;
                        })));

        rig.fire(rig.run("settle@1", "settle"));
        rig.awaitState("settle@1", "succeeded");
        rig.fire(rig.run("settle@2", "settle"));

        rig.awaitState("settle@2", "succeeded");
        assertThat(rig.ledger.number("select points from public.account")).isEqualTo(1);
        assertThat(rig.ledger.number("select starts from once")).isEqualTo(1);
    }

    @Test
    void aConnectionThatCommitsEachStatementIsRefused() {
        rig.start("w", TestTask.of("settle", context -> {
            try (Connection connection = context.dataSource("ledger").getConnection()) {
                return context.once(connection, Step.ofRun("points"), Integer.class, c -> addPoint(c));
            }
        }));

        rig.fire(rig.run("settle@1", "settle", "{\"max_attempts\":1}", 1, java.time.Duration.ofMinutes(1)));

        rig.awaitState("settle@1", "dead");
        assertThat(rig.ledger.texts("select error_message from run").get(0)).contains("once needs a transaction");
        assertThat(rig.ledger.number("select points from public.account")).isZero();
    }

    private static Integer addPoint(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("update account set points = points + 1");
        }
    }
}
