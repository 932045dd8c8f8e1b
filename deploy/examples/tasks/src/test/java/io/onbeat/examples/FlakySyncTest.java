package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.io.IOException;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlakySyncTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    @Test
    void failsAsOftenAsItIsToldAndAlwaysAtTheSameAttempts() {
        long failures = IntStream.range(0, 1000)
                .filter(i -> Dice.roll("flaky-sync@" + FIRE_TIME.plusSeconds(5L * i) + "#1", 100) < 30)
                .count();
        assertThat(failures).isBetween(250L, 350L);
        assertThat(IntStream.range(0, 1000)
                        .map(i -> Dice.roll("same", 100))
                        .distinct()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void succeedsOrHangsUp() throws Exception {
        try (DemoDatabase database = new DemoDatabase()) {
            TaskTest test = TaskTest.of(new FlakySync()).fireTime(FIRE_TIME).ledger(database.source("sync"));
            assertThat(test.args("{\"fail_percent\": 0}").run().result(Integer.class))
                    .isEqualTo(1);
            assertThat(database.query("select run_key || ' ' || attempt || ' ' || orders from demo.sync"))
                    .isEqualTo("flaky-sync@2026-07-14T18:05:00Z 1 50000");
            assertThat(test.args("{\"fail_percent\": 100}").run().thrown())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("on purpose");
            assertThat(test.args("{\"fail_percent\": 101}").run()).isInstanceOf(TaskOutcome.FailedForGood.class);
        }
    }
}
