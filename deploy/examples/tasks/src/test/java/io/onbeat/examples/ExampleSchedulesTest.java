package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.task.Task;
import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExampleSchedulesTest {
    private static final Path FILE = Path.of(System.getProperty("onbeat.root"), "deploy/examples/schedule.yaml");
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    @Test
    void everyScheduleThatIsOnRunsAsItStands() throws Exception {
        Map<String, Task> tasks = ServiceLoader.load(Task.class).stream()
                .map(ServiceLoader.Provider::get)
                .collect(Collectors.toMap(Task::name, Function.identity()));
        List<String> ran = new ArrayList<>();
        try (DemoDatabase database = new DemoDatabase()) {
            DemoData.ensure(database.source("demo"));
            for (Schedule schedule : ScheduleFile.load(FILE).all()) {
                assertThat(tasks).containsKey(schedule.task());
                if (schedule.enabled()) {
                    run(tasks.get(schedule.task()), schedule, database);
                    ran.add(schedule.name());
                }
            }
        }
        assertThat(ran)
                .contains(
                        "bill-accounts",
                        "clean-up",
                        "daily-report",
                        "flaky-sync",
                        "place-orders",
                        "review-orders",
                        "settle-points");
    }

    private static void run(Task task, Schedule schedule, DemoDatabase database) {
        TaskOutcome outcome = TaskTest.of(task)
                .schedule(schedule.name())
                .fireTime(FIRE_TIME)
                .args(schedule.args())
                .ledger(database.source("demo"))
                .run();
        if (schedule.task().equals("flaky-sync")) {
            assertThat(outcome).isInstanceOfAny(TaskOutcome.Succeeded.class, TaskOutcome.Failed.class);
        } else {
            // nothing to do is an end like another
            assertThat(outcome).isInstanceOfAny(TaskOutcome.Succeeded.class, TaskOutcome.Skipped.class);
        }
    }
}
