package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    @Test
    void b34_delaysGrowByTheFactorUpToTheCap() {
        RetryPolicy policy = RetryPolicy.fromJson("""
                {"max_attempts": 12, "initial": "1s", "factor": 2, "max": "600s"}""");
        List<Long> seconds = IntStream.rangeClosed(1, 11)
                .mapToObj(failures -> policy.delay(failures).toSeconds())
                .toList();
        assertThat(seconds).containsExactly(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 600L, 600L);
    }

    @ParameterizedTest
    @ValueSource(ints = {5_000, Integer.MAX_VALUE})
    void b34_noNumberOfFailuresOverflows(int failures) {
        assertThat(exponential("1s", 1000, "36525d").delay(failures)).isEqualTo(Durations.LONGEST);
        assertThat(exponential("0s", 1000, "1h").delay(failures)).isZero();
        assertThat(RetryPolicy.DEFAULT.delay(failures)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void b34_anExplicitZeroIsHonoured() {
        RetryPolicy policy = RetryPolicy.fromJson("""
                {"delays": ["0s"], "jitter": 0}""");
        assertThat(policy.delay(1, 0.9)).isZero();
        assertThat(policy.maxAttempts()).isEqualTo(4);
    }

    @Test
    void theLastDelayRepeats() {
        assertThat(IntStream.rangeClosed(1, 5)
                        .mapToObj(RetryPolicy.DEFAULT::delay)
                        .map(Durations::format))
                .containsExactly("10s", "1m", "5m", "5m", "5m");
    }

    @Test
    void jitterOnlyLengthens() {
        RetryPolicy policy = new RetryPolicy(3, RetryPolicy.DEFAULT.backoff(), 0.5);
        assertThat(policy.delay(1, 0)).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.delay(1, 0.999)).isBetween(Duration.ofSeconds(14), Duration.ofSeconds(15));
    }

    @Test
    void aRunIsExhaustedByItsLastAttempt() {
        assertThat(RetryPolicy.DEFAULT.exhausted(3)).isFalse();
        assertThat(RetryPolicy.DEFAULT.exhausted(4)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"initial\": \"10m\", \"max\": \"1m\"}|initial 10m is above max 1m",
                "{\"max_attempts\": 0}|max_attempts 0 is out of range",
                "{\"jitter\": 1.5}|jitter 1.5 is out of range",
                "{\"factor\": 0.5, \"initial\": \"1s\"}|factor 0.5 is out of range",
                "{\"delays\": []}|delays is empty",
                "{\"delays\": [\"1s\"], \"initial\": \"1s\"}|not both",
                "{\"delay\": [\"1s\"]}|did you mean \"delays\"",
                "{\"delays\": [5]}|5 has no unit: write 5s",
                "{\"factor\": 2}|need initial",
                "[]|is not a map",
                "{\"max_attempts\": |not valid JSON"
            })
    void b34_aBadPolicySaysWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> RetryPolicy.fromJson(json))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n");
    }

    @Test
    void jsonHoldsAllOfIt() {
        for (RetryPolicy policy : List.of(RetryPolicy.DEFAULT, exponential("1s", 1.5, "1h30m"))) {
            assertThat(RetryPolicy.fromJson(policy.toJson())).isEqualTo(policy);
        }
        assertThat(RetryPolicy.DEFAULT.toJson())
                .isEqualTo("{\"max_attempts\":4,\"delays\":[\"10s\",\"1m\",\"5m\"],\"jitter\":0.0}");
    }

    private static RetryPolicy exponential(String initial, double factor, String max) {
        return new RetryPolicy(
                4, new Backoff.Exponential(Durations.parse(initial), factor, Durations.parse(max)), 0.25);
    }
}
