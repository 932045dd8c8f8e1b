package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.BeatSettings;
import io.onbeat.config.Settings;
import io.onbeat.ledger.TestLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Behaviours that other schedulers were reported to lack, B1 to B19 and B33 to B36, with the ledger's clock turned by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BehavioursTest {
    private final TestLedger ledger = new TestLedger();

    @BeforeEach
    void empty() {
        ledger.execute("truncate run, attempt, outbox, skip, leader, audit, schedule restart identity cascade");
    }

    @AfterAll
    void close() {
        ledger.close();
    }

    private void at(String instant) {
        ledger.setClock(Instant.parse(instant));
    }

    /** Another beat: the one before is gone, and its lease over. */
    private HandDrivenBeat restarted(String yaml) {
        ledger.execute("update leader set lease_until = '-infinity'");
        return new HandDrivenBeat(ledger, "beat-" + System.nanoTime()).with(yaml);
    }

    private static String schedule(String rule, String more) {
        return "schedules:\n  s: {" + rule + ", task: noop, overlap: allow" + more + "}\n";
    }

    private List<String> keys() {
        return ledger.texts("select key from run order by fire_at, key");
    }

    private List<String> skips() {
        return ledger.texts("select concat_ws(' ', reason, to_char(first at time zone 'UTC', 'HH24:MI'),"
                + " to_char(last at time zone 'UTC', 'HH24:MI'), count) from skip order by first");
    }

    @Test
    void b1_the_slot_that_a_restart_fell_upon_runs_once_and_at_once() {
        String yaml = schedule("cron: \"*/10 * * * *\"", "");
        at("2026-07-14T09:29:59Z");
        restarted(yaml).pass();
        at("2026-07-14T09:30:00Z");
        restarted(yaml).pass();
        at("2026-07-14T09:40:10Z");
        HandDrivenBeat back = restarted(yaml);
        assertThat(back.pass().runs()).isEqualTo(1);
        assertThat(back.pass().runs()).isZero();
        assertThat(restarted(yaml).pass().runs()).isZero();
        assertThat(keys()).containsExactly("s@2026-07-14T09:30:00Z", "s@2026-07-14T09:40:00Z");
    }

    @Test
    void b2_the_catch_up_window_decides_what_is_too_old() {
        at("2026-07-14T08:45:00Z");
        restarted(schedule("cron: \"0,45 * * * *\"", ", catch_up_window: 30m")).pass();
        at("2026-07-14T10:20:00Z");
        restarted(schedule("cron: \"0,45 * * * *\"", ", catch_up_window: 30m")).pass();
        assertThat(keys()).containsExactly("s@2026-07-14T10:00:00Z");
        assertThat(skips()).containsExactly("missed 09:00 09:45 2");

        empty();
        at("2026-07-14T08:45:00Z");
        restarted(schedule("cron: \"0,45 * * * *\"", ", catch_up_window: 15m")).pass();
        at("2026-07-14T10:20:00Z");
        FireLoop.Pass pass = restarted(schedule("cron: \"0,45 * * * *\"", ", catch_up_window: 15m"))
                .pass();
        assertThat(keys()).isEmpty();
        assertThat(skips()).containsExactly("missed 09:00 10:00 3");
        assertThat(pass.nextIn().orElseThrow()).isBetween(Duration.ofSeconds(1_499), Duration.ofMinutes(25));
    }

    @Test
    void b3_resuming_floods_nothing_and_the_slots_meanwhile_are_skips() throws Exception {
        Pausing pausing = new Pausing(ledger.ledger());
        at("2026-07-14T09:00:30Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"* * * * *\"", ""));
        beat.pass();
        assertThat(pausing.pause("s", true, "test")).contains(true);
        assertThat(pausing.pause("s", true, "test")).contains(false);
        at("2026-07-14T09:02:10Z");
        beat.pass();
        beat.pass();
        at("2026-07-14T09:04:10Z");
        assertThat(pausing.pause("s", false, "test")).contains(true);
        beat.pass();
        beat.pass();
        assertThat(keys()).isEmpty();
        assertThat(skips()).containsExactly("paused 09:01 09:04 4");
        at("2026-07-14T09:05:00Z");
        beat.pass();
        beat.pass();
        assertThat(keys()).containsExactly("s@2026-07-14T09:05:00Z");
    }

    @Test
    void a_pause_takes_no_fire_back_that_was_due_before_it() throws Exception {
        at("2026-07-14T09:00:30Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"* * * * *\"", ""));
        beat.pass();
        at("2026-07-14T09:01:05Z");
        new Pausing(ledger.ledger()).pause("s", true, "test");
        assertThat(keys()).containsExactly("s@2026-07-14T09:01:00Z");
        assertThat(ledger.number("select count(*) from outbox")).isEqualTo(1);
    }

    @Test
    void the_next_fires_can_be_skipped_by_hand() throws Exception {
        Pausing pausing = new Pausing(ledger.ledger());
        at("2026-07-14T09:00:30Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"* * * * *\"", ""));
        beat.pass();
        pausing.skipNext("s", 1, "test");
        assertThat(pausing.skipNext("s", 1, "test").orElseThrow().last())
                .contains(Instant.parse("2026-07-14T09:02:00Z"));
        assertThat(pausing.skipNext("nobody", 1, "test")).isEmpty();
        for (int minute = 1; minute < 4; minute++) {
            at("2026-07-14T09:0" + minute + ":00Z");
            beat.pass();
            beat.pass();
        }
        assertThat(skips()).containsExactly("paused 09:01 09:02 2");
        assertThat(keys()).containsExactly("s@2026-07-14T09:03:00Z");
    }

    @Test
    void b5_a_weekly_interval_survives_a_restart_every_day() {
        String yaml = schedule("every: 7d, from: \"2026-07-14T12:00:00Z\"", "");
        for (int day = 14; day <= 22; day++) {
            at("2026-07-" + day + "T11:59:59Z");
            restarted(yaml).pass();
            at("2026-07-" + day + "T12:00:00Z");
            restarted(yaml).pass();
        }
        assertThat(keys()).containsExactly("s@2026-07-14T12:00:00Z", "s@2026-07-21T12:00:00Z");
    }

    @Test
    void b6_a_reload_in_the_very_second_of_a_fire_makes_one_run() {
        at("2026-07-14T08:59:59Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"* * * * *\"", ", args: {n: 1}"));
        beat.pass();
        at("2026-07-14T09:00:00Z");
        beat.with(schedule("cron: \"0/1 * * * *\"".replace("0/1", "*/1"), ", args: {n: 1}"));
        beat.pass();
        beat.with(schedule("cron: \"* * * * *\"", ", args: {n: 2}"));
        beat.pass();
        assertThat(keys()).containsExactly("s@2026-07-14T09:00:00Z");
    }

    @Test
    void b7_a_beat_that_wakes_late_still_fires() {
        at("2026-07-14T08:59:59Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"0 9 * * *\"", ", catch_up: none"));
        beat.pass();
        at("2026-07-14T09:00:01.200Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
    }

    @Test
    void b8_a_midnight_schedule_that_is_added_before_midnight_first_runs_at_midnight() {
        String yaml = schedule("cron: \"0 0 * * *\", timezone: Asia/Shanghai", "");
        at("2026-07-14T15:55:00Z");
        HandDrivenBeat beat = restarted(yaml);
        beat.pass();
        assertThat(keys()).isEmpty();
        at("2026-07-14T16:00:00Z");
        beat.pass();
        assertThat(keys()).containsExactly("s@2026-07-14T16:00:00Z");
    }

    @Test
    void b9_jitter_spreads_the_starts_and_keeps_the_keys() {
        at("2026-07-14T00:30:00Z");
        HandDrivenBeat beat = restarted(schedule("every: 1h", ", jitter: 120s, catch_up: all, catch_up_window: 60d"));
        beat.pass();
        at("2026-08-24T16:30:00Z");
        assertThat(beat.pass().runs()).isEqualTo(1_000);
        assertThat(ledger.number("select count(*) from run where key <> 's@' ||"
                        + " to_char(fire_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"))
                .isZero();
        assertThat(ledger.number("select count(*) from run where next_attempt_at between fire_at"
                        + " and fire_at + interval '120 s'"))
                .isEqualTo(1_000);
        assertThat(ledger.number("select count(distinct next_attempt_at - fire_at) from run"))
                .isGreaterThan(900);
    }

    @Test
    void b9_a_jittered_message_is_published_no_earlier_than_it_may_start() {
        at("2026-07-14T00:59:00Z");
        HandDrivenBeat beat = restarted(schedule("every: 1h", ", jitter: 2h"));
        beat.pass();
        at("2026-07-14T01:00:00Z");
        beat.pass();
        assertThat(beat.handedOver()).isEmpty();
        assertThat(ledger.number("select count(*) from outbox join run on run.id = any (run_ids)"
                        + " where try_at = next_attempt_at"))
                .isEqualTo(1);
    }

    @Test
    void b10_the_clock_goes_back_an_hour_and_nothing_is_issued_again() {
        at("2026-07-14T09:59:00Z");
        HandDrivenBeat beat = restarted(schedule("cron: \"0 * * * *\"", ""));
        beat.pass();
        at("2026-07-14T10:00:00Z");
        beat.pass();
        at("2026-07-14T09:00:30Z");
        beat.pass();
        restarted(schedule("cron: \"0 * * * *\"", "")).pass();
        at("2026-07-14T10:00:10Z");
        HandDrivenBeat after = restarted(schedule("cron: \"0 * * * *\"", ""));
        after.pass();
        at("2026-07-14T11:00:00Z");
        after.pass();
        assertThat(keys()).containsExactly("s@2026-07-14T10:00:00Z", "s@2026-07-14T11:00:00Z");
    }

    @Test
    void b12_a_reload_replays_no_past_slot_and_leaves_the_others_their_next_fire() {
        at("2026-07-14T09:00:30Z");
        HandDrivenBeat beat =
                restarted("schedules:\n  a: {every: 1h, task: noop}\n  b: {cron: \"5 9 * * *\", task: noop}\n");
        beat.pass();
        at("2026-07-14T09:30:00Z");
        beat.pass();
        Duration next = beat.with("schedules:\n  a: {every: 1h, task: noop}\n  b: {cron: \"0 9 * * *\", task: noop}\n")
                .pass()
                .nextIn()
                .orElseThrow();
        assertThat(next).isBetween(Duration.ofSeconds(1_799), Duration.ofMinutes(30));
        assertThat(keys()).containsExactly("b@2026-07-14T09:05:00Z");
    }

    @Test
    void b13_a_schedule_that_missed_thousands_of_slots_resumes() {
        at("2026-07-14T00:00:00Z");
        restarted(schedule("every: 1s", "")).pass();
        at("2026-07-15T00:00:30Z");
        HandDrivenBeat beat = restarted(schedule("every: 1s", ""));
        FireLoop.Pass pass = beat.pass();
        assertThat(pass.runs() + pass.skips()).isEqualTo(86_430);
        assertThat(ledger.number("select sum(count) from skip")).isEqualTo(86_430 - 61);
        assertThat(ledger.number("select count(*) from skip")).isEqualTo(1);
    }

    @Test
    void b14_a_bad_spec_in_the_ledger_leaves_the_others_running() {
        String yaml =
                "schedules:\n  a: {every: 1s, task: noop, overlap: allow}\n  b: {every: 1s, task: noop, overlap: allow}\n";
        at("2026-07-14T09:00:00Z");
        restarted(yaml).pass();
        ledger.execute(
                "update schedule set spec = '{\"cron\": [\"0 0 30 2 *\"]}', rule_hash = 'x', hash = 'x' where name = 'a'");
        at("2026-07-14T09:00:02Z");
        HandDrivenBeat beat = restarted(yaml);
        beat.pass();
        assertThat(ledger.number("select count(*) from run where schedule = 'b'"))
                .isEqualTo(2);
        at("2026-07-14T09:00:03Z");
        beat.pass();
        assertThat(ledger.number("select count(*) from run where schedule = 'a'"))
                .isEqualTo(1);
    }

    @Test
    void b15_a_beat_that_was_frozen_past_its_lease_steps_down_and_fires_nothing_twice() {
        String yaml = schedule("every: 1s", "");
        at("2026-07-14T09:00:00Z");
        HandDrivenBeat frozen = restarted(yaml);
        frozen.pass();
        at("2026-07-14T09:00:11Z");
        HandDrivenBeat other = new HandDrivenBeat(ledger, "other").with(yaml);
        assertThat(other.pass().runs()).isEqualTo(11);
        assertThat(frozen.pass()).isEqualTo(FireLoop.Pass.STANDBY);
        assertThat(keys()).hasSize(11).doesNotHaveDuplicates();
    }

    @Test
    void b16_a_hand_over_around_the_full_hour_fires_it_once() throws Exception {
        String yaml = schedule("cron: \"0 10 * * *\"", "");
        at("2026-07-14T09:59:57Z");
        HandDrivenBeat first = restarted(yaml);
        first.pass();
        first.loop().release();
        at("2026-07-14T10:00:00.700Z");
        assertThat(new HandDrivenBeat(ledger, "second").with(yaml).pass().runs())
                .isEqualTo(1);
        assertThat(keys()).hasSize(1);
    }

    @Test
    void b17_a_lease_shorter_than_its_renewals_is_refused_at_the_start() {
        Settings settings = Settings.of(Map.of(BeatSettings.LEADER_LEASE, "3s", BeatSettings.LEADER_RENEW, "2s"));
        BeatSettings.read(settings, "b");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(settings::check))
                .hasMessageContaining("ONBEAT_LEADER_RENEW")
                .hasMessageContaining("2000 ms is more than a third of 3000 ms");
    }

    @Test
    void b19_two_beats_that_both_believe_they_lead_make_one_row_per_fire_and_one_skip_per_gap() {
        String yaml = schedule("cron: \"* * * * *\"", ", catch_up: none");
        at("2026-07-14T09:00:30Z");
        HandDrivenBeat a = restarted(yaml);
        a.pass();
        // b is told that the lease is its own, and so is a, again and again
        HandDrivenBeat b = restarted(yaml);
        b.pass();
        String aTerm = ledger.texts("select term - 1 from leader").get(0);
        String aName = a.loop().term().orElseThrow().owner();
        String bName = b.loop().term().orElseThrow().owner();
        for (int minute = 1; minute < 30; minute++) {
            at(String.format(java.util.Locale.ROOT, "2026-07-14T09:%02d:0%dZ", minute, minute % 5));
            if (minute % 7 == 3) {
                continue;
            }
            ledger.execute("update leader set owner = ?, term = ?", aName, Long.parseLong(aTerm));
            a.pass();
            ledger.execute("update leader set owner = ?, term = ?", bName, Long.parseLong(aTerm) + 1);
            b.pass();
        }
        long runs = ledger.number("select count(*) from run");
        long skipped = ledger.number("select coalesce(sum(count), 0) from skip");
        assertThat(runs + skipped).isEqualTo(29);
        assertThat(a.loop().leading()).isTrue();
    }

    @Test
    void b33_overlap_skip_holds_when_the_beat_restarts_while_a_run_is_active() {
        String yaml = schedule("cron: \"* * * * *\"", "").replace(", overlap: allow", "");
        at("2026-07-14T09:00:00Z");
        restarted(yaml).pass();
        at("2026-07-14T09:01:00Z");
        restarted(yaml).pass();
        at("2026-07-14T09:02:00Z");
        restarted(yaml).pass();
        assertThat(keys()).containsExactly("s@2026-07-14T09:01:00Z");
        assertThat(skips()).containsExactly("overlap 09:02 09:02 1");
    }

    @Test
    void b35_thirty_thousand_schedules_due_in_one_second_are_fired_once_each() {
        StringBuilder yaml = new StringBuilder("schedules:\n");
        for (int i = 0; i < 30_000; i++) {
            yaml.append("  s").append(i).append(": {cron: \"0 10 * * *\", task: noop}\n");
        }
        at("2026-07-14T09:59:59Z");
        HandDrivenBeat beat = restarted(yaml.toString());
        beat.pass();
        at("2026-07-14T10:00:00Z");
        assertThat(beat.pass().runs()).isEqualTo(30_000);
        assertThat(ledger.number("select count(distinct key) from run")).isEqualTo(30_000);
        assertThat(beat.pass().runs()).isZero();
    }

    @Test
    void new_york_s_long_day_has_1500_minutes_and_its_short_day_1380() {
        String yaml = "timezone: America/New_York\n"
                + schedule("cron: \"* * * * *\"", ", catch_up: all, catch_up_window: 2d");
        at("2026-11-01T03:59:59Z");
        HandDrivenBeat beat = restarted(yaml);
        beat.pass();
        at("2026-11-02T04:59:59Z");
        assertThat(beat.pass().runs()).isEqualTo(1_500);
        assertThat(keys()).hasSize(1_500).doesNotHaveDuplicates();

        empty();
        at("2026-03-08T04:59:59Z");
        HandDrivenBeat spring = restarted(yaml);
        spring.pass();
        at("2026-03-09T03:59:59Z");
        assertThat(spring.pass().runs()).isEqualTo(1_380);
        assertThat(keys()).hasSize(1_380).doesNotHaveDuplicates();
    }

    @Test
    void a_fire_on_a_day_that_a_calendar_takes_out_is_a_skip_and_the_one_before_is_caught_up() {
        String yaml = """
                timezone: Asia/Shanghai
                calendars: {off: [2026-07-15..2026-07-16]}
                schedules:
                  s: {cron: "0 9 * * *", task: noop, overlap: allow, except: [off], catch_up_window: 7d}
                """;
        at("2026-07-13T02:00:00Z");
        restarted(yaml).pass();
        at("2026-07-16T02:00:00Z");
        restarted(yaml).pass();
        assertThat(keys()).containsExactly("s@2026-07-14T01:00:00Z");
        assertThat(ledger.texts("select reason || ' ' || count from skip")).containsExactly("excluded 2");
    }
}
