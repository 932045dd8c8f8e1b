package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.task.Skipped;
import io.onbeat.task.Task;
import java.io.IOException;
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
        assertThat(ran).contains("daily-report", "flaky-sync", "place-orders", "review-orders", "settle-points");
    }

    private static void run(Task task, Schedule schedule, DemoDatabase database) throws Exception {
        TestRun run = TestRun.of(schedule.name(), FIRE_TIME, schedule.args(), database.source("demo"));
        try {
            task.run(run);
        } catch (Skipped fine) {
            // nothing to do is an end like another
        } catch (IOException onPurpose) {
            assertThat(schedule.task()).isEqualTo("flaky-sync");
        }
    }
}
