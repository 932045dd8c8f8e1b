package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulesCommandTest {
    private final CliSystem system = new CliSystem(CliSystem.NOBODY);

    @AfterEach
    void close() {
        system.close();
    }

    @Test
    void schedules_are_listed_with_their_next_fire_and_last_run() {
        system.schedules("""
                schedules:
                  a-day: {cron: "0 2 * * *", task: settle, timezone: Asia/Shanghai}
                  b-off: {every: 1h, task: noop, enabled: false}
                  c-done: {at: "2020-01-01T00:00:00Z", task: noop}
                  d-paused: {every: 1h, task: noop}
                  e-removed: {every: 1h, task: noop}
                """);
        system.ledger().execute("update schedule set paused_at = clock() where name = 'd-paused'");
        system.ledger().execute("update schedule set removed_at = clock() where name = 'e-removed'");
        system.run("a-day@2026-07-12T18:00:00Z", "a-day", "dead");
        system.run("a-day@2026-07-13T18:00:00Z", "a-day", "succeeded");
        assertThat(system.onbeat("schedules")).isEqualTo(new Cli(0, """
                        SCHEDULE   RULE                     ZONE           TASK    STATE     NEXT FIRE             LAST RUN              LAST STATE  WATERMARK
                        a-day      0 2 * * *                Asia/Shanghai  settle  active    2026-07-14T18:00:00Z  2026-07-14T08:59:00Z  succeeded   2026-07-14T09:00:00Z
                        b-off      every 1h                 UTC            noop    disabled  -                     -                     -           2026-07-14T09:00:00Z
                        c-done     at 2020-01-01T00:00:00Z  UTC            noop    finished  -                     -                     -           2026-07-14T09:00:00Z
                        d-paused   every 1h                 UTC            noop    paused    2026-07-14T10:00:00Z  -                     -           2026-07-14T09:00:00Z
                        e-removed  every 1h                 UTC            noop    removed   -                     -                     -           2026-07-14T09:00:00Z
                        """, ""));
        assertThat(system.onbeat("schedules", "--json").out())
                .startsWith(
                        "[{\"name\":\"a-day\",\"rule\":\"0 2 * * *\",\"zone\":\"Asia/Shanghai\",\"task\":\"settle\","
                                + "\"queue\":\"default\",\"state\":\"active\",\"next_fire\":\"2026-07-14T18:00:00Z\","
                                + "\"last_run\":{\"key\":\"a-day@2026-07-13T18:00:00Z\",\"state\":\"succeeded\",")
                .contains("\"paused_at\":null,\"removed\":false,\"spec\":{")
                .contains("\"name\":\"d-paused\"")
                .contains("\"paused_at\":\"2026-07-14T09:00:00Z\"");
    }

    @Test
    void the_last_run_of_a_rare_schedule_is_found_by_its_key() {
        system.schedules("schedules:\n  rare: {every: 1d, task: noop}\n  rare2: {every: 1d, task: noop}\n");
        system.run("rare@2026-07-01T00:00:00Z", "rare", "succeeded");
        system.run("rare@2026-07-02T00:00:00Z", "rare", "dead");
        system.run("rare2@2026-07-03T00:00:00Z", "rare2", "succeeded");
        system.ledger().execute("""
                insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, open, queued_at)
                select 'other@' || n, 'noop', 'default', 'outside', clock(), 1000, 1, 'succeeded', false, clock()
                from generate_series(1, 20000) as n""");
        assertThat(system.onbeat("schedules", "--json").out())
                .contains("\"key\":\"rare@2026-07-02T00:00:00Z\"", "\"key\":\"rare2@2026-07-03T00:00:00Z\"");
    }

    @Test
    void a_ledger_without_schedules_says_where_they_come_from() {
        assertThat(system.onbeat("schedules"))
                .isEqualTo(new Cli(0, "no schedules: a beat writes those of its schedule file\n", ""));
        assertThat(system.onbeat("schedules", "--json").out()).isEqualTo("[]\n");
        assertThat(system.onbeat("runs", "--schedule", "x").err())
                .isEqualTo("onbeat: --schedule: no schedule \"x\": the ledger has none yet; a beat writes those of its"
                        + " schedule file\n");
    }

    @Test
    void a_word_too_many_is_an_error() {
        assertThat(system.onbeat("schedules", "all"))
                .isEqualTo(new Cli(2, "", "onbeat: unknown word \"all\"; see onbeat schedules --help\n"));
    }
}
