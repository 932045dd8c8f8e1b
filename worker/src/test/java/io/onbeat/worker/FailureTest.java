package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Skipped;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void failuresComeBackThroughTheDelayQueuesAndEndDead() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        rig.start("w", TestTask.of("broken", context -> {
            starts.add(System.nanoTime());
            throw new IllegalStateException("no such order");
        }));

        rig.fire(rig.run("broken@1", "broken"));

        rig.awaitState("broken@1", "dead");
        assertThat(starts).hasSize(3);
        assertThat(gap(starts, 0)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
        assertThat(gap(starts, 1)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(20));
        assertThat(rig.ledger.texts("select kind from outbox")).containsExactly("dead");
        assertThat(rig.ledger.texts("select outcome || ' ' || error_message from attempt order by attempt"))
                .containsExactly("failed no such order", "failed no such order", "failed no such order");
        assertThat(rig.ledger.texts("select error_class || ' ' || lease_owner from run"))
                .containsExactly("java.lang.IllegalStateException w");
    }

    @Test
    void b24_aShortDelayIsNotHeldUpByALongerOneThatBeganBefore() {
        Set<String> again = ConcurrentHashMap.newKeySet();
        rig.start("w", TestTask.of("twice", context -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("later");
            }
            again.add(context.runKey());
            return null;
        }));

        rig.fire(rig.run("ten@1", "twice", "{\"max_attempts\":2,\"delays\":[\"10m\"]}", 2, Duration.ofMinutes(1)));
        rig.awaitState("ten@1", "retrying");
        rig.fire(rig.run("one@1", "twice", "{\"max_attempts\":2,\"delays\":[\"1s\"]}", 2, Duration.ofMinutes(1)));

        rig.awaitState("one@1", "succeeded");
        assertThat(again).containsExactly("one@1");
        assertThat(rig.state("ten@1")).isEqualTo("retrying");
    }

    @Test
    void aDelayOutsideTheLadderWaitsInTheLedger() {
        rig.start("w", TestTask.of("later", context -> {
            throw new RetryLater(Duration.ofSeconds(37));
        }));

        rig.fire(rig.run("later@1", "later"));

        rig.awaitState("later@1", "retrying");
        assertThat(rig.ledger.number("select count(*) from run where next_attempt_at = republish_at"
                        + " and next_attempt_at > clock() + interval '30 s'"))
                .isEqualTo(1);
    }

    @Test
    void aTaskMayEndItsRunForGood() {
        rig.start("w", TestTask.of("hopeless", context -> {
            throw new PermanentFailure("the account is closed");
        }));

        rig.fire(rig.run("hopeless@1", "hopeless"));

        rig.awaitState("hopeless@1", "dead");
        assertThat(rig.ledger.texts("select failures || ' ' || error_message from run"))
                .containsExactly("1 the account is closed");
    }

    @Test
    void aTaskMaySkipItsRun() {
        rig.start("w", TestTask.of("idle", context -> {
            throw new Skipped("nothing to do");
        }));

        rig.fire(rig.run("idle@1", "idle"));

        rig.awaitState("idle@1", "skipped");
        assertThat(rig.ledger.texts("select error_message from run")).containsExactly("nothing to do");
    }

    @Test
    void errorsAreFailuresAndTheWorkerLivesOn() {
        rig.start(
                "w",
                TestTask.of("endless", context -> recurse(1)),
                TestTask.of("greedy", context -> new long[Integer.MAX_VALUE]),
                TestTask.of("fine", context -> "ok"));

        rig.fire(rig.run("endless@1", "endless", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));
        rig.fire(rig.run("greedy@1", "greedy", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));

        rig.awaitState("endless@1", "dead");
        rig.awaitState("greedy@1", "dead");
        rig.fire(rig.run("fine@1", "fine"));
        rig.awaitState("fine@1", "succeeded");
        assertThat(rig.ledger.texts("select error_class from run where state = 'dead' order by key"))
                .containsExactly("java.lang.StackOverflowError", "java.lang.OutOfMemoryError");
    }

    @Test
    void aTaskThatNobodyKnowsIsAnOrdinaryFailureThatNamesThoseKnown() {
        rig.start("w", TestTask.of("known", context -> null));

        rig.fire(rig.run("strange@1", "strange"));

        rig.awaitState("strange@1", "dead");
        assertThat(rig.ledger.texts("select error_message from run").get(0))
                .startsWith("no worker knows task 'strange'; known: ")
                .contains("known");
        assertThat(rig.ledger.number("select failures from run")).isEqualTo(3);
    }

    @Test
    void aResultThatIsTooLargeOrNoJsonEndsTheRunWithThatReason() {
        rig.start("w", TestTask.of("large", context -> "x".repeat(10_000_000)), TestTask.of("circle", context -> {
            List<Object> circle = new CopyOnWriteArrayList<>();
            circle.add(circle);
            return circle;
        }));

        rig.fire(rig.run("large@1", "large"));
        rig.fire(rig.run("circle@1", "circle"));

        rig.awaitState("large@1", "dead");
        rig.awaitState("circle@1", "dead");
        assertThat(rig.ledger
                        .texts("select error_message from run where key = 'large@1'")
                        .get(0))
                .isEqualTo("its result is larger than 64 KB of JSON: keep it elsewhere, and return where");
    }

    @Test
    void aTextThatTheLedgerCannotStoreDoesNotHoldUpOthers() {
        rig.start("w", TestTask.of("odd", context -> {
            throw new IllegalStateException("half a pair: \ud800 and a zero: \0");
        }));

        rig.fire(rig.run("odd@1", "odd", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));

        rig.awaitState("odd@1", "dead");
    }

    private static Object recurse(int depth) {
        return depth < 0 ? null : recurse(depth + 1) + "x";
    }

    private static Duration gap(List<Long> starts, int i) {
        return Duration.ofNanos(starts.get(i + 1) - starts.get(i));
    }
}
