package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.task.PermanentFailure;
import java.io.IOException;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FlakySyncTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    private final FlakySync task = new FlakySync();

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
            TestRun never = TestRun.of("flaky-sync", FIRE_TIME, "{\"fail_percent\": 0}", database.source("sync"));
            assertThat(task.run(never)).isEqualTo(1);
            assertThat(database.query("select run_key || ' ' || attempt || ' ' || orders from demo.sync"))
                    .isEqualTo("flaky-sync@2026-07-14T18:05:00Z 1 50000");
            TestRun always = TestRun.of("flaky-sync", FIRE_TIME, "{\"fail_percent\": 100}", database.source("sync"));
            assertThatThrownBy(() -> task.run(always))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("on purpose");
            TestRun wrong = TestRun.of("flaky-sync", FIRE_TIME, "{\"fail_percent\": 101}", database.source("sync"));
            assertThatThrownBy(() -> task.run(wrong)).isInstanceOf(PermanentFailure.class);
        }
    }
}
