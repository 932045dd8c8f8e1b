package io.onbeat.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.Schedule;
import io.onbeat.schedule.UniqueBy;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunKeyTest {
    private static final Instant FIRE = Instant.parse("2026-07-14T02:00:00Z");

    @Test
    void aFireIsNamedByItsNominalInstantToTheSecond() {
        assertThat(RunKey.scheduled("settle-points", FIRE)).hasToString("settle-points@2026-07-14T02:00:00Z");
        assertThat(RunKey.scheduled("settle-points", FIRE.plusMillis(999)))
                .isEqualTo(RunKey.scheduled("settle-points", FIRE));
        assertThat(RunKey.manual("settle-points", "7f3a")).hasToString("settle-points@manual:7f3a");
    }

    @ParameterizedTest
    @CsvSource({
        "HOUR, UTC, 2026-07-14T02:59:59Z, s@2026-07-14T02",
        "DAY, UTC, 2026-07-14T02:00:00Z, s@2026-07-14",
        "DAY, Asia/Shanghai, 2026-07-14T18:00:00Z, s@2026-07-15",
        "WEEK, UTC, 2026-07-14T02:00:00Z, s@2026-W29",
        "WEEK, UTC, 2027-01-03T23:59:59Z, s@2026-W53",
        "WEEK, Pacific/Kiritimati, 2027-01-03T23:59:59Z, s@2027-W01",
        "MONTH, America/New_York, 2026-08-01T03:59:59Z, s@2026-07",
        "YEAR, UTC, 2026-12-31T23:59:59Z, s@2026",
        "HOUR, America/New_York, 2026-11-01T05:30:00Z, s@2026-11-01T01",
        "HOUR, America/New_York, 2026-11-01T06:30:00Z, s@2026-11-01T01-05:00"
    })
    void aPeriodIsReadOffTheClockOfTheZone(UniqueBy by, String zone, Instant instant, String key) {
        assertThat(RunKey.period("s", by, instant, ZoneId.of(zone))).hasToString(key);
    }

    @Test
    void aScheduleDecidesWhichKeyItsFiresHave() {
        String rule = "\"cron\": \"0 2 * * *\", \"task\": \"t\", \"timezone\": \"Asia/Shanghai\"";
        assertThat(RunKey.of(Schedule.fromJson("s", "{" + rule + "}"), FIRE)).hasToString("s@2026-07-14T02:00:00Z");
        assertThat(RunKey.of(Schedule.fromJson("s", "{" + rule + ", \"unique_by\": \"day\"}"), FIRE))
                .hasToString("s@2026-07-14");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a b", "a@b", "ürün", ".hidden", "a/b"})
    void aScheduleNameOutsideTheAlphabetIsRefused(String name) {
        assertThatThrownBy(() -> RunKey.scheduled(name, FIRE))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining("\"" + name + "\"")
                .hasMessageContaining("use 1 to 100 of A-Z a-z 0-9 . _ -");
    }

    @Test
    void aNameMayHave100Characters() {
        assertThat(RunKey.scheduled("n".repeat(100), FIRE).value()).hasSize(121);
        assertThatThrownBy(() -> RunKey.scheduled("n".repeat(101), FIRE)).isInstanceOf(InvalidSchedule.class);
    }

    @Test
    void aKeyFromOutsideFitsAMessageId() {
        assertThat(new RunKey("order 4711/größe").value()).isEqualTo("order 4711/größe");
        assertThat(new RunKey("k".repeat(255)).value()).hasSize(255);
        for (String bad : new String[] {"", "  ", "a\nb", "a\u0000", "k".repeat(256), "ü".repeat(128), "\uD800"}) {
            assertThatThrownBy(() -> new RunKey(bad))
                    .isInstanceOf(InvalidSchedule.class)
                    .hasMessageNotContaining("\n");
        }
    }
}
