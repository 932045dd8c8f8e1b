package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FireTimesTest {
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({"2026-11-01,1500", "2026-03-08,1380", "2026-07-01,1440"})
    void everyMinuteFiresAsOftenAsTheLocalDayHasMinutes(LocalDate day, int fires) {
        FireTimes everyMinute = FireTimes.cron(List.of("* * * * *"), NEW_YORK);
        Instant end = day.plusDays(1).atStartOfDay(NEW_YORK).toInstant();
        int count = 0;
        Instant last = day.atStartOfDay(NEW_YORK).toInstant().minusSeconds(1);
        for (Instant fire = next(everyMinute, last); fire.isBefore(end); fire = next(everyMinute, fire)) {
            count++;
        }
        assertThat(count).isEqualTo(fires);
    }

    @Test
    void aFractionOfASecondDoesNotMoveTheSearch() {
        FireTimes noon = FireTimes.cron(List.of("0 12 * * *"), ZoneId.of("UTC"));
        assertThat(next(noon, Instant.parse("2026-01-01T11:59:59.999Z"))).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(next(noon, Instant.parse("2026-01-01T12:00:00.001Z"))).isEqualTo("2026-01-02T12:00:00Z");
    }

    @Test
    void searchesFromTheEndsOfTimeDoNotOverflow() {
        for (FireTimes times : List.of(
                FireTimes.cron(List.of("0 12 * * *"), NEW_YORK),
                FireTimes.cron(List.of("0 0 29 2 *"), ZoneId.of("Pacific/Apia")),
                FireTimes.every(Durations.LONGEST),
                FireTimes.every(Duration.ofSeconds(1), NEW_YEAR))) {
            times.next(Instant.MIN);
            times.next(Instant.MAX);
            times.next(Instant.ofEpochSecond(-1));
        }
    }

    @Test
    void aWindowCutsBothEndsAndHoldsThem() {
        FireTimes hourly = FireTimes.cron(List.of("@hourly"), NEW_YORK)
                .within(
                        Optional.of(Instant.parse("2026-01-01T05:00:00Z")),
                        Optional.of(Instant.parse("2026-01-01T06:00:00Z")));
        assertThat(next(hourly, NEW_YEAR)).isEqualTo("2026-01-01T05:00:00Z");
        assertThat(next(hourly, Instant.parse("2026-01-01T05:00:00Z"))).isEqualTo("2026-01-01T06:00:00Z");
        assertThat(hourly.next(Instant.parse("2026-01-01T06:00:00Z"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "١ * * * *",
                "+5 * * * *",
                "0 0 1 * FRI-SUN",
                "*/60 * * * *",
                "0 0 ? * *",
                "@every 5m",
                "@",
                "",
                "0 0 0 ?,1 * ?",
                "0 0 0 L-31 * ?",
                "0 0 0 ? * 6#0",
                "0 0 0 1-15W * ?",
                "0 0 0 15W-20 * ?",
                "5\n5 * * * ?? *"
            })
    void whatIsNotACronIsRejectedInOneLine(String text) {
        assertThatThrownBy(() -> FireTimes.cron(List.of(text), NEW_YORK))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aRejectionNamesTheFieldTheTextAndWhatIsAllowed() {
        assertThatThrownBy(() -> FireTimes.cron(List.of("0 24 * * *"), NEW_YORK))
                .hasMessage("cron \"0 24 * * *\": hour \"24\" is out of range: use 0-23");
        assertThatThrownBy(() -> FireTimes.cron(List.of("0 0 * * MONDAY"), NEW_YORK))
                .hasMessage("cron \"0 0 * * MONDAY\": day of week \"MONDAY\" is not valid: use 0-7 or SUN-SAT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 12 * * *", "*/5 * * * *", "0 0/7 8-20 ? * MON-FRI", "0 0 12 L * ?", "@hourly"})
    void commonExpressionsAreFast(String text) {
        assertThat(nanosPerCall(text, 20_000)).isLessThan(20_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0 0 29 2 */7", "0 0 0 29W 2 ? *", "0 0 0 ? 2 1#5", "0 0 */7 29 2 ? 2096", "0 0 * 29 2 ? 2120/4"
            })
    void rareExpressionsAreFastEnough(String text) {
        assertThat(nanosPerCall(text, 200)).isLessThan(5_000_000);
    }

    private static long nanosPerCall(String text, int calls) {
        FireTimes times = FireTimes.cron(List.of(text), NEW_YORK);
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            Instant after = NEW_YEAR;
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < calls; i++) {
                after = times.next(after).orElse(NEW_YEAR);
            }
            best = Math.min(best, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / calls);
        }
        return best;
    }

    private static Instant next(FireTimes times, Instant after) {
        return times.next(after).orElseThrow();
    }
}
