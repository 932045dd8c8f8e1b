package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.NewRun;
import io.onbeat.message.TaskMessage;
import io.onbeat.worker.report.Tally.Counts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExecuteOnceTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aThousandRunsPublishedFiveTimesOverAreExecutedOnceEach() throws IOException {
        Map<String, AtomicInteger> executions = new ConcurrentHashMap<>();
        TestTask task = TestTask.of(
                "count",
                context -> executions
                        .computeIfAbsent(context.runKey(), key -> new AtomicInteger())
                        .incrementAndGet());
        List<Worker> workers = IntStream.range(0, 3)
                .mapToObj(i -> rig.start("w" + i, Map.of("ONBEAT_QUEUES", "default:8"), task))
                .toList();
        List<NewRun> runs = IntStream.range(0, 1_000)
                .mapToObj(i -> rig.run("many@" + i, "count"))
                .toList();
        List<TaskMessage> messages = rig.insert(runs);

        rig.publish(messages, 5);

        await().atMost(WorkerRig.LIMIT)
                .until(() -> sum(workers, Counts::claimed) == 1_000 && sum(workers, Counts::duplicates) == 4_000);
        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from run where state = 'succeeded'") == 1_000);
        assertThat(executions).hasSize(1_000);
        assertThat(executions.values()).allMatch(count -> count.get() == 1);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void aRunKeepsWhatItsTaskReturned() {
        rig.start(
                "w", TestTask.of("report", context -> Map.of("attempt", context.attempt(), "at", context.fireTime())));

        rig.fire(rig.run("report@1", "report"));

        rig.awaitState("report@1", "succeeded");
        assertThat(rig.ledger.texts("select result->>'at' from run")).containsExactly("2026-07-14T02:00:00Z");
    }

    private static long sum(List<Worker> workers, ToLongFunction<Counts> count) {
        return workers.stream().map(Worker::counts).mapToLong(count).sum();
    }
}
