package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final String FULL = """
            {"cron": ["0 2 * * *", "0 30 9 ? * MON"], "timezone": "Asia/Shanghai", "from": "2026-01-01T00:00:00+08:00",
             "until": "2027-01-01T00:00:00Z", "enabled": false, "task": "settle-points",
             "args": {"batch": 500, "big": 123456789012345678901234567890, "exact": 1.10, "exp": 1e400, "none": null,
                      "deep": [{"ключ": "значение 😀 \\u0001 \\"q\\""}, true]},
             "queue": "night", "timeout": "1h", "retry": {"max_attempts": 2, "initial": "1s", "factor": 3, "max": "1m"},
             "catch_up": "all", "catch_up_window": "2d", "misfire_grace": "0s", "overlap": "skip", "unique_by": "day",
             "description": "Points", "owner": "finance", "tags": ["a", "b"]}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                FULL,
                "{\"every\": \"90s\", \"task\": \"t\"}",
                "{\"every\": \"1h\", \"from\": \"2026-01-01T00:20:00Z\", \"task\": \"t\"}",
                "{\"at\": \"2026-12-24T18:00:00+01:00\", \"task\": \"t\"}"
            })
    void theLedgerGivesBackWhatItWasGiven(String json) {
        Schedule schedule = Schedule.fromJson("s", json);
        Schedule again = Schedule.fromJson("s", schedule.toJson());
        assertThat(again).isEqualTo(schedule);
        assertThat(again.toJson()).isEqualTo(schedule.toJson());
        assertThat(again.hash()).isEqualTo(schedule.hash()).matches("[0-9a-f]{16}");
    }

    @Test
    void argsKeepEveryDigitAndCharacter() {
        assertThat(Schedule.fromJson("s", FULL).args())
                .isEqualTo(
                        "{\"batch\":500,\"big\":123456789012345678901234567890,\"exact\":1.10,\"exp\":1e400,\"none\":null,"
                                + "\"deep\":[{\"ключ\":\"значение 😀 \\u0001 \\\"q\\\"\"},true]}");
    }

    @Test
    void defaultsAreFilledIn() {
        Schedule schedule = Schedule.fromJson("s", "{\"cron\": \"@daily\", \"task\": \"t\"}");
        assertThat(schedule.queue()).isEqualTo("default");
        assertThat(schedule.args()).isEqualTo("{}");
        assertThat(schedule.zone().getId()).isEqualTo("UTC");
        assertThat(schedule.timeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(schedule.retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(schedule.policy().catchUp()).isEqualTo(CatchUp.LATEST);
        assertThat(schedule.policy().catchUpWindow()).isEqualTo(Duration.ofDays(1));
        assertThat(schedule.policy().misfireGrace()).isEqualTo(Duration.ofMinutes(1));
        assertThat(schedule.policy().overlap()).isEqualTo(Overlap.SKIP);
        assertThat(schedule.policy().uniqueBy()).isEmpty();
        assertThat(schedule.enabled()).isTrue();
    }

    @Test
    void theRuleHashChangesOnlyWithWhatDecidesWhenItFires() {
        Schedule base = Schedule.fromJson("s", "{\"every\": \"10m\", \"task\": \"t\"}");
        Schedule args = Schedule.fromJson("s", "{\"every\": \"600s\", \"task\": \"t\", \"args\": {\"a\": 1}}");
        Schedule off = Schedule.fromJson("s", "{\"every\": \"10m\", \"task\": \"t\", \"enabled\": false}");
        assertThat(args.ruleHash()).isEqualTo(base.ruleHash());
        assertThat(args.hash()).isNotEqualTo(base.hash());
        assertThat(off.ruleHash()).isNotEqualTo(base.ruleHash());
    }

    @Test
    void aSetSaysWhatChangedInANewerOne() {
        Schedule kept = Schedule.fromJson("kept", "{\"every\": \"10m\", \"task\": \"t\"}");
        Schedule gone = Schedule.fromJson("gone", "{\"every\": \"10m\", \"task\": \"t\"}");
        Schedule edited = Schedule.fromJson("edited", "{\"every\": \"10m\", \"task\": \"t\"}");
        Schedule retimed = Schedule.fromJson("edited", "{\"every\": \"20m\", \"task\": \"t\"}");
        Schedule fresh = Schedule.fromJson("fresh", "{\"at\": \"2026-01-01T00:00:00Z\", \"task\": \"t\"}");
        ScheduleSet before = new ScheduleSet(List.of(kept, gone, edited));
        ScheduleSet.Changes changes = before.changesTo(new ScheduleSet(List.of(kept, retimed, fresh)));
        assertThat(changes.added()).containsExactly(fresh);
        assertThat(changes.removed()).containsExactly(gone);
        assertThat(changes.changed()).containsExactly(new ScheduleSet.Change(edited, retimed));
        assertThat(changes.changed().get(0).firesDifferently()).isTrue();
        assertThat(before.changesTo(before).isEmpty()).isTrue();
    }

    @Test
    void aWindowAppliesToEveryKindOfRule() {
        Schedule schedule = Schedule.fromJson("s", FULL);
        assertThat(schedule.fireTimes().next(Instant.EPOCH)).contains(Instant.parse("2025-12-31T18:00:00Z"));
        assertThat(schedule.fireTimes().next(Instant.parse("2026-12-31T23:00:00Z")))
                .isEmpty();
    }

    @Test
    void theLedgersTextIsCheckedToo() {
        assertThatThrownBy(() -> Schedule.fromJson("s", "{\"cron\": \"0 0 31 2 *\", \"task\": \"t\"}"))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining("never fires");
        assertThatThrownBy(() -> Schedule.fromJson("s", "")).isInstanceOf(InvalidSchedule.class);
        assertThatThrownBy(() -> Schedule.fromJson("s", "[1")).isInstanceOf(InvalidSchedule.class);
    }
}
