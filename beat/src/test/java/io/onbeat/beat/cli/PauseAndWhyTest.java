package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PauseAndWhyTest {
    private final CliSystem system = new CliSystem(CliSystem.NOBODY).schedules("""
            schedules:
              sync: {every: 1h, task: noop, overlap: allow}
              nightly: {cron: "0 2 * * *", task: noop}
            """);

    @AfterEach
    void close() {
        system.close();
    }

    private void at(String instant) {
        system.ledger().setClock(Instant.parse(instant));
    }

    @Test
    void pausing_and_resuming_tell_whether_they_changed_anything() {
        assertThat(system.onbeat("pause", "sync")).isEqualTo(new Cli(0, "sync is paused\n", ""));
        assertThat(system.onbeat("pause", "sync")).isEqualTo(new Cli(0, "sync was paused already\n", ""));
        at("2026-07-14T11:30:00Z");
        assertThat(system.onbeat("resume", "sync", "--json").out())
                .isEqualTo("{\"schedule\":\"sync\",\"paused\":false,\"changed\":true}\n");
        assertThat(system.onbeat("why", "sync", "2026-07-14T11:00:00Z").out())
                .isEqualTo(
                        "sync at 2026-07-14T11:00:00Z: skipped (paused, or skipped by hand), one of 2 fires from 2026-07-14T10:00:00Z"
                                + " to 2026-07-14T11:00:00Z\n");
        assertThat(system.audit()).containsExactly("pause sync", "resume sync");
    }

    @Test
    void an_unknown_schedule_is_a_wrong_word() {
        for (String word : new String[] {"pause", "resume", "skip", "why"}) {
            Cli answer = system.onbeat(word, "snyc");
            assertThat(answer.code()).isEqualTo(2);
            assertThat(answer.err()).isEqualTo("onbeat: no schedule \"snyc\"; did you mean \"sync\"?\n");
        }
    }

    @Test
    void skipping_names_the_last_fire_that_is_skipped() {
        assertThat(system.onbeat("skip", "sync", "--count", "2").out())
                .isEqualTo("sync skips its fires up to 2026-07-14T11:00:00Z\n");
        assertThat(system.onbeat("why", "sync", "2026-07-14T11:00:00Z").out())
                .isEqualTo("sync at 2026-07-14T11:00:00Z: not yet, and it will be skipped, as onbeat skip was told\n");
        assertThat(system.onbeat("why", "sync", "2026-07-14T12:00:00Z").out())
                .isEqualTo("sync at 2026-07-14T12:00:00Z: not yet\n");
        assertThat(system.onbeat("skip", "sync", "--count", "0").code()).isEqualTo(2);
        assertThat(system.onbeat("schedules", "--json").out()).contains("\"next_fire\":\"2026-07-14T12:00:00Z\"");
    }

    @Test
    void why_answers_for_every_kind_of_instant() {
        assertThat(system.onbeat("why", "sync", "2026-07-14T09:30:00Z").out())
                .isEqualTo("sync at 2026-07-14T09:30:00Z: not due; the fire before is 2026-07-14T09:00:00Z;"
                        + " the next is 2026-07-14T10:00:00Z\n");
        assertThat(system.onbeat("why", "sync", "2026-07-14T10:00:00Z").out())
                .isEqualTo("sync at 2026-07-14T10:00:00Z: not yet\n");
        assertThat(system.onbeat("why", "sync", "2026-07-14T08:00:00Z").out()).contains("no record");
        at("2026-07-14T10:00:30Z");
        assertThat(system.onbeat("why", "sync").out()).contains("due, and not judged yet");
        system.onbeat("skip", "sync");
        assertThat(system.onbeat("why", "sync").out())
                .isEqualTo("sync at 2026-07-14T10:00:00Z: run sync@2026-07-14T10:00:00Z is queued\n");
        assertThat(system.onbeat("why", "sync", "--json").out())
                .isEqualTo("{\"schedule\":\"sync\",\"fire_at\":\"2026-07-14T10:00:00Z\",\"answer\":\"run\","
                        + "\"key\":\"sync@2026-07-14T10:00:00Z\",\"state\":\"queued\"}\n");
        assertThat(system.onbeat("why", "sync", "yesterday").code()).isEqualTo(2);
    }

    @Test
    void a_backfill_runs_what_was_not_run_and_can_be_asked_for_again() {
        at("2026-07-18T09:00:00Z");
        String[] span = {"backfill", "nightly", "--from", "2026-07-15T00:00:00Z", "--to", "2026-07-18T00:00:00Z"};
        assertThat(system.onbeat(with(span, "--dry-run")).lines())
                .containsExactly("FIRE AT", "2026-07-15T02:00:00Z", "2026-07-16T02:00:00Z", "2026-07-17T02:00:00Z");
        assertThat(system.ledger().number("select count(*) from run")).isZero();
        assertThat(system.onbeat(span).lines()).last().isEqualTo("3 fire times, 3 new runs; 0 have a run already");
        assertThat(system.ledger().texts("select key || ' ' || origin || ' ' || state from run order by fire_at"))
                .containsExactly(
                        "nightly@2026-07-15T02:00:00Z backfill waiting",
                        "nightly@2026-07-16T02:00:00Z backfill waiting",
                        "nightly@2026-07-17T02:00:00Z backfill waiting",
                        "nightly@2026-07-18T02:00:00Z schedule queued");
        assertThat(system.onbeat(span).lines()).last().isEqualTo("3 fire times, 0 new runs; 3 have a run already");
    }

    @Test
    void a_fire_that_is_backfilled_before_it_is_judged_is_judged_first() {
        at("2026-07-16T09:00:00Z");
        assertThat(system.onbeat(
                                "backfill", "nightly", "--from", "2026-07-15T00:00:00Z", "--to", "2026-07-16T09:00:00Z")
                        .lines())
                .last()
                .isEqualTo("2 fire times, 1 new runs; 1 have a run already");
        assertThat(system.ledger().texts("select key || ' ' || origin from run order by fire_at"))
                .containsExactly("nightly@2026-07-15T02:00:00Z backfill", "nightly@2026-07-16T02:00:00Z schedule");
        assertThat(system.ledger()
                        .texts("select reason || ' ' || count || ' ' || (first at time zone 'UTC') from skip, schedule"
                                + " where schedule.id = schedule_id and name = 'nightly'"))
                .containsExactly("missed 1 2026-07-15 02:00:00");
    }

    @Test
    void a_backfill_refuses_what_lies_ahead_and_a_span_the_wrong_way_round() {
        assertThat(system.onbeat("backfill", "sync", "--from", "2026-07-14T00:00:00Z", "--to", "2027-01-01T00:00:00Z"))
                .satisfies(answer -> assertThat(answer.code()).isEqualTo(2))
                .satisfies(answer -> assertThat(answer.err()).contains("lies ahead"));
        assertThat(system.onbeat("backfill", "sync", "--from", "2026-07-14T00:00:00Z", "--to", "2026-07-13T00:00:00Z")
                        .err())
                .contains("swap or mend them");
        assertThat(system.onbeat(
                                "backfill",
                                "sync",
                                "--from",
                                "2026-07-13T00:00:00Z",
                                "--to",
                                "2026-07-14T00:00:00Z",
                                "--overlap",
                                "skip")
                        .err())
                .contains("use allow or queue");
    }

    private static String[] with(String[] words, String more) {
        String[] all = java.util.Arrays.copyOf(words, words.length + 1);
        all[words.length] = more;
        return all;
    }
}
