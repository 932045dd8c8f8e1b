package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.Recovery;
import io.onbeat.ledger.TestLedger;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FireLoopTest {
    private final TestLedger ledger = new TestLedger();

    @AfterEach
    void close() {
        ledger.close();
    }

    private void at(String instant) {
        ledger.setClock(Instant.parse(instant));
    }

    private HandDrivenBeat beat(String name) {
        return new HandDrivenBeat(ledger, name);
    }

    private static String minutely(String more) {
        return "schedules:\n  tick: {cron: \"* * * * *\", task: noop" + more + "}\n";
    }

    @Test
    void a_new_schedule_starts_from_now_and_each_fire_is_one_run_with_its_nominal_key() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow"));
        assertThat(beat.pass().runs()).isZero();
        at("2026-07-14T09:00:00Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
        assertThat(beat.pass().runs()).isZero();
        at("2026-07-14T09:01:00.700Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
        assertThat(ledger.texts("select key from run order by id"))
                .containsExactly("tick@2026-07-14T09:00:00Z", "tick@2026-07-14T09:01:00Z");
        assertThat(beat.handedOver()).hasSize(2);
        assertThat(ledger.number("select count(*) from outbox")).isEqualTo(2);
    }

    @Test
    void overlap_skip_starts_nothing_while_a_run_is_active_and_extends_one_skip() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(""));
        beat.pass();
        for (int minute = 0; minute < 4; minute++) {
            at("2026-07-14T09:0" + minute + ":00Z");
            beat.pass();
        }
        assertThat(ledger.number("select count(*) from run")).isEqualTo(1);
        assertThat(ledger.texts("select concat_ws(' ', reason, count, to_char(first at time zone 'UTC', 'HH24:MI'),"
                        + " to_char(last at time zone 'UTC', 'HH24:MI')) from skip"))
                .containsExactly("overlap 3 09:01 09:03");
        ledger.execute("update run set state = 'succeeded', open = false");
        at("2026-07-14T09:04:00Z");
        beat.pass();
        at("2026-07-14T09:05:00Z");
        beat.pass();
        assertThat(ledger.texts("select count::text from skip order by id")).containsExactly("3", "1");
    }

    @Test
    void two_beats_that_both_believe_they_lead_write_each_fire_once() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat a = beat("a").with(minutely(", overlap: allow"));
        a.pass();
        // the lead goes to b without a noticing: its term is put back behind its back
        ledger.execute("update leader set lease_until = '-infinity'");
        HandDrivenBeat b = beat("b").with(minutely(", overlap: allow"));
        assertThat(b.pass().leading()).isTrue();
        at("2026-07-14T09:00:00Z");
        assertThat(b.pass().runs()).isEqualTo(1);
        assertThat(a.pass()).isEqualTo(FireLoop.Pass.STANDBY);
        ledger.execute("update leader set owner = 'a', term = 1");
        assertThat(a.loop().leading()).isFalse();
        assertThat(ledger.number("select count(*) from run")).isEqualTo(1);
    }

    @Test
    void a_standby_takes_over_when_the_lease_has_run_out_and_goes_on_from_the_watermark() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat a = beat("a").with(minutely(", overlap: allow"));
        a.pass();
        HandDrivenBeat b = beat("b").with(minutely(", overlap: allow"));
        at("2026-07-14T08:59:38Z");
        assertThat(b.pass().leading()).isFalse();
        at("2026-07-14T09:00:30Z");
        assertThat(b.pass().runs()).isEqualTo(1);
        assertThat(a.pass()).isEqualTo(FireLoop.Pass.STANDBY);
    }

    @Test
    void catch_up_none_latest_and_all_after_twenty_minutes() {
        at("2026-07-14T10:02:00Z");
        String yaml = """
                schedules:
                  none: {cron: "0 0/5 * * * ?", task: noop, catch_up: none}
                  latest: {cron: "0 0/5 * * * ?", task: noop, catch_up: latest}
                  all: {cron: "0 0/5 * * * ?", task: noop, catch_up: all, overlap: allow}
                """;
        beat("a").with(yaml).pass();
        at("2026-07-14T10:21:30Z");
        HandDrivenBeat back = beat("b").with(yaml);
        assertThat(back.pass().nextIn())
                .hasValueSatisfying(
                        next -> assertThat(next).isBetween(Duration.ofSeconds(209), Duration.ofSeconds(210)));
        assertThat(ledger.texts("select key from run order by key"))
                .containsExactly(
                        "all@2026-07-14T10:05:00Z",
                        "all@2026-07-14T10:10:00Z",
                        "all@2026-07-14T10:15:00Z",
                        "all@2026-07-14T10:20:00Z",
                        "latest@2026-07-14T10:20:00Z");
        assertThat(ledger.texts("select name || ' ' || count from skip join schedule on schedule.id = schedule_id"
                        + " order by 1"))
                .containsExactly("latest 3", "none 4");
    }

    @Test
    void editing_the_rule_judges_what_was_due_by_the_old_rule_first() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow"));
        beat.pass();
        at("2026-07-14T09:00:50Z");
        beat.with("schedules:\n  tick: {every: 1h, task: noop}\n");
        beat.pass();
        assertThat(ledger.texts("select key from run order by key")).containsExactly("tick@2026-07-14T09:00:00Z");
        at("2026-07-14T09:59:00Z");
        assertThat(beat.pass().runs()).isZero();
        ledger.execute("update run set state = 'succeeded', open = false");
        at("2026-07-14T10:00:00Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
    }

    @Test
    void editing_the_args_keeps_the_watermark_and_the_next_fire_has_the_new_args() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with("schedules:\n  sync: {every: 1h, task: noop, args: {n: 1}}\n");
        beat.pass();
        at("2026-07-14T08:59:45Z");
        beat.with("schedules:\n  sync: {every: 1h, task: noop, args: {n: 2}}\n");
        beat.pass();
        at("2026-07-14T09:00:00Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
        assertThat(ledger.texts("select args::text from run")).containsExactly("{\"n\":2}");
    }

    @Test
    void a_removed_schedule_fires_no_more_and_starts_from_now_when_it_comes_back() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow"));
        beat.pass();
        beat.with("schedules: {}\n").pass();
        at("2026-07-14T09:10:00Z");
        assertThat(beat.pass().runs()).isZero();
        beat.with(minutely(", overlap: allow")).pass();
        assertThat(ledger.number("select count(*) from run")).isZero();
        at("2026-07-14T09:11:00Z");
        assertThat(beat.pass().runs()).isEqualTo(1);
    }

    @Test
    void unique_by_day_makes_one_run_of_many_fires() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow, unique_by: day, timezone: Asia/Shanghai"));
        beat.pass();
        at("2026-07-14T09:00:30Z");
        beat.pass();
        at("2026-07-14T09:01:30Z");
        beat.pass();
        assertThat(ledger.texts("select key from run")).containsExactly("tick@2026-07-14");
    }

    @Test
    void a_fire_whose_period_has_its_run_is_that_run_and_no_skip() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: skip, catch_up: all, unique_by: hour"));
        beat.pass();
        at("2026-07-14T09:00:30Z");
        beat.pass();
        // while the run is active, and in an outage that reaches into the next hour
        at("2026-07-14T09:01:30Z");
        beat.pass();
        at("2026-07-14T10:02:30Z");
        beat.pass();
        assertThat(ledger.texts("select key from run")).containsExactly("tick@2026-07-14T09");
        // the next hour's fires find that run active
        assertThat(ledger.texts("select reason || ' ' || count || ' ' || (first at time zone 'UTC') from skip"))
                .containsExactly("overlap 3 2026-07-14 10:00:00");
        ledger.execute("update run set state = 'succeeded', open = false, finished_at = clock()");
        at("2026-07-14T10:05:30Z");
        beat.pass();
        assertThat(ledger.texts("select key from run order by id"))
                .containsExactly("tick@2026-07-14T09", "tick@2026-07-14T10");
        assertThat(ledger.number("select sum(count)::bigint from skip")).isEqualTo(3);
    }

    @Test
    void more_than_a_batch_is_fired_in_several_transactions_and_nothing_is_left_out() {
        at("2026-07-14T09:00:00Z");
        HandDrivenBeat beat =
                beat("a").with("schedules:\n  s: {every: 1s, task: noop, overlap: allow, catch_up: all}\n");
        beat.pass();
        at("2026-07-14T10:00:00Z");
        assertThat(beat.pass().runs()).isEqualTo(3_600);
        assertThat(ledger.number("select count(distinct fire_at) from run")).isEqualTo(3_600);
    }

    @Test
    void a_renamed_schedule_keeps_its_watermark_and_its_history() {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow"));
        beat.pass();
        at("2026-07-14T09:00:10Z");
        beat.pass();
        at("2026-07-14T09:01:10Z");
        beat.with("schedules:\n  tock: {was: tick, cron: \"* * * * *\", task: noop, overlap: allow}\n");
        beat.pass();
        beat.pass();
        assertThat(ledger.texts("select key from run order by id"))
                .containsExactly("tick@2026-07-14T09:00:00Z", "tock@2026-07-14T09:01:00Z");
        assertThat(ledger.texts("select name from schedule where removed_at is null"))
                .containsExactly("tock");
        assertThat(ledger.number("select count(distinct schedule_id) from run")).isEqualTo(1);
    }

    @Test
    void a_run_that_is_late_beyond_its_expiry_is_marked_so() throws Exception {
        at("2026-07-14T08:59:30Z");
        HandDrivenBeat beat = beat("a").with(minutely(", overlap: allow, expires: 30s"));
        beat.pass();
        at("2026-07-14T09:00:10Z");
        beat.pass();
        assertThat(ledger.texts("select (expires_at = fire_at + interval '30 s')::text from run"))
                .containsExactly("true");
        at("2026-07-14T09:00:30Z");
        int expired = ledger.ledger().transaction(connection -> Recovery.expire(connection, 10));
        assertThat(expired).isEqualTo(1);
        assertThat(ledger.texts("select state || ' ' || open from run")).containsExactly("expired false");
    }

    @Test
    void a_beat_that_starts_with_an_unreadable_file_goes_on_with_the_ledger_s_schedules() {
        at("2026-07-14T08:59:30Z");
        beat("a").with(minutely(", overlap: allow")).pass();
        ledger.execute("update leader set lease_until = '-infinity'");
        HandDrivenBeat restarted = beat("b");
        restarted.pass();
        restarted.loop().fallBackOnLedger();
        at("2026-07-14T09:00:00Z");
        assertThat(restarted.pass().runs()).isEqualTo(1);
        at("2026-07-14T09:00:30Z");
        restarted.with("schedules:\n  other: {every: 1h, task: noop}\n").pass();
        assertThat(ledger.texts("select name from schedule where removed_at is null"))
                .containsExactly("other");
        at("2026-07-14T09:05:00Z");
        assertThat(restarted.pass().runs()).isZero();
    }
}
