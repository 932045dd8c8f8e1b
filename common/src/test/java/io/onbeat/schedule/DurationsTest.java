package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "10s,10s",
        "90s,1m30s",
        "1d12h,1d12h",
        "36h,1d12h",
        "PT10M,10m",
        "500ms,500ms",
        "1500ms,1s500ms",
        "0s,0s",
        "1h1m1s,1h1m1s",
        "P1DT12H,1d12h"
    })
    void readsBothFormsAndWritesTheShortOne(String text, String shortForm) {
        assertThat(Durations.format(Durations.parse(text))).isEqualTo(shortForm);
        assertThat(Durations.parse(shortForm)).isEqualTo(Durations.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5x",
                "m",
                "10",
                "-5m",
                "PT-5M",
                "often",
                "5 m",
                "1m1h",
                "1h1h",
                "1.5h",
                "٥m",
                "99999999999d",
                "P1M",
                "5M"
            })
    void whatIsNotADurationIsQuotedBack(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageStartingWith("\"" + text + "\"")
                .hasMessageContaining("such as 10s");
    }

    @Test
    void aNegativeDurationHasAFormForMessages() {
        assertThat(Durations.format(Duration.ofSeconds(-90))).isEqualTo("-1m30s");
    }
}
