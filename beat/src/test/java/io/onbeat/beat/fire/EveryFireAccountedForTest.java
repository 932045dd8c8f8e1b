package io.onbeat.beat.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.TestLedger;
import io.onbeat.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every due fire is a run, or part of exactly one skip: over outages, edits, and two beats that both believe they lead. */
class EveryFireAccountedForTest {
    private static final Instant START = Instant.parse("2026-10-24T12:00:30Z");
    private static final String[] RULES = {
        "every: 30m",
        "every: 47m",
        "cron: \"7 * * * *\", timezone: Europe/Berlin",
        "cron: \"*/20 1-4 * * *\", timezone: America/New_York",
        "cron: \"0 0/40 * * * ?\", timezone: Australia/Lord_Howe"
    };
    private static final String[] POLICIES = {
        "catch_up: none, overlap: allow",
        "catch_up: latest, overlap: allow",
        "catch_up: all, overlap: allow",
        "catch_up: none, overlap: skip",
        "catch_up: latest, overlap: skip",
        "catch_up: all, overlap: skip",
        "catch_up: all, overlap: queue",
        "catch_up: all, overlap: queue, jitter: 5m",
        "catch_up: latest, overlap: allow, catch_up_window: 2h",
        "catch_up: all, overlap: allow, catch_up_window: 6h, misfire_grace: 15m"
    };

    private final TestLedger ledger = new TestLedger();
    private Instant now = START;

    @AfterEach
    void close() {
        ledger.close();
    }

    private void advance(Duration by) {
        now = now.plus(by);
        ledger.setClock(now);
    }

    private static String schedules(int count, int edited) {
        StringBuilder yaml = new StringBuilder("schedules:\n");
        for (int i = 0; i < count; i++) {
            String rule = RULES[(i + (i % 10 < edited ? 1 : 0)) % RULES.length];
            yaml.append(String.format(
                    Locale.ROOT, "  s%d: {%s, task: noop, %s}\n", i, rule, POLICIES[i % POLICIES.length]));
        }
        return yaml.toString();
    }

    private HandDrivenBeat restarted(String yaml) {
        ledger.execute("update leader set lease_until = '-infinity'");
        return new HandDrivenBeat(ledger, "beat-" + System.nanoTime()).with(yaml);
    }

    private void check(Map<String, List<Instant>> due) {
        Map<String, Set<Instant>> runs = new HashMap<>();
        for (String line : ledger.texts(
                "select schedule || ' ' || to_char(fire_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') from run")) {
            String[] parts = line.split(" ");
            assertThat(runs.computeIfAbsent(parts[0], s -> new HashSet<>()).add(Instant.parse(parts[1])))
                    .isTrue();
        }
        Map<String, List<Instant[]>> skips = new HashMap<>();
        Map<String, Long> skipped = new HashMap<>();
        for (String line : ledger.texts(
                "select name || ' ' || extract(epoch from first)::bigint || ' ' ||"
                        + " extract(epoch from last)::bigint || ' ' || count from skip join schedule on schedule.id = schedule_id")) {
            String[] parts = line.split(" ");
            skips.computeIfAbsent(parts[0], s -> new ArrayList<>()).add(new Instant[] {
                Instant.ofEpochSecond(Long.parseLong(parts[1])), Instant.ofEpochSecond(Long.parseLong(parts[2]))
            });
            skipped.merge(parts[0], Long.parseLong(parts[3]), Long::sum);
        }
        due.forEach((name, fires) -> {
            Set<Instant> ran = runs.getOrDefault(name, Set.of());
            assertThat(fires).as(name).containsAll(ran);
            assertThat(ran.size() + skipped.getOrDefault(name, 0L))
                    .as("runs and skips of " + name)
                    .isEqualTo(fires.size());
            for (Instant fire : fires) {
                long ranges = skips.getOrDefault(name, List.of()).stream()
                        .filter(range -> !fire.isBefore(range[0]) && !fire.isAfter(range[1]))
                        .count();
                assertThat(ranges).as(name + " at " + fire).isEqualTo(ran.contains(fire) ? 0 : 1);
            }
        });
    }

    private static void addDue(Map<String, List<Instant>> due, String yaml, Instant from, Instant to) {
        for (Schedule schedule : HandDrivenBeat.parsed(yaml).all()) {
            List<Instant> fires = due.computeIfAbsent(schedule.name(), s -> new ArrayList<>());
            Optional<Instant> next = schedule.fireTimes().next(from);
            while (next.filter(fire -> !fire.isAfter(to)).isPresent()) {
                fires.add(next.get());
                next = schedule.fireTimes().next(next.get());
            }
        }
    }

    @Test
    void a_beat_that_is_away_for_a_day_with_schedules_of_every_policy() {
        String yaml = schedules(1_000, 0);
        ledger.setClock(now);
        restarted(yaml).pass();
        advance(Duration.ofMinutes(40));
        restarted(yaml).pass();
        advance(Duration.ofDays(1));
        restarted(yaml).pass();
        Map<String, List<Instant>> due = new HashMap<>();
        addDue(due, yaml, START, now);
        check(due);
    }

    @Test
    void edits_that_are_made_while_no_beat_runs_are_judged_by_the_old_rule_up_to_the_return() {
        String before = schedules(200, 0);
        String after = schedules(200, 3);
        ledger.setClock(now);
        restarted(before).pass();
        advance(Duration.ofHours(20));
        Instant edited = now;
        HandDrivenBeat beat = restarted(after);
        beat.pass();
        advance(Duration.ofHours(20));
        beat.pass();
        Map<String, List<Instant>> due = new HashMap<>();
        addDue(due, before, START, edited);
        addDue(due, after, edited, now);
        check(due);
    }

    @Test
    void two_beats_that_both_believe_they_lead_and_take_turns_at_random() {
        String yaml = schedules(100, 0);
        ledger.setClock(now);
        HandDrivenBeat a = restarted(yaml);
        a.pass();
        HandDrivenBeat b = restarted(yaml);
        b.pass();
        long termOfA = a.loop().term().orElseThrow().term();
        long termOfB = b.loop().term().orElseThrow().term();
        String nameOfA = a.loop().term().orElseThrow().owner();
        String nameOfB = b.loop().term().orElseThrow().owner();
        java.util.Random random = new java.util.Random(7);
        for (int step = 0; step < 60; step++) {
            advance(Duration.ofSeconds(60 + random.nextInt(3_000)));
            if (random.nextInt(4) == 0) {
                ledger.execute("update run set state = 'succeeded', open = false where open");
            }
            for (int turn = 0; turn < 2; turn++) {
                boolean first = random.nextBoolean();
                ledger.execute(
                        "update leader set owner = ?, term = ?", first ? nameOfA : nameOfB, first ? termOfA : termOfB);
                (first ? a : b).pass();
            }
        }
        ledger.execute("update leader set owner = ?, term = ?", nameOfB, termOfB);
        b.pass();
        Map<String, List<Instant>> due = new HashMap<>();
        addDue(due, yaml, START, now);
        check(due);
    }

    @Test
    void the_database_clock_steps_by_an_hour_forth_and_back_with_edits_while_it_is_behind_the_watermark() {
        String before = schedules(1_000, 0);
        String after = schedules(1_000, 3);
        ledger.setClock(now);
        HandDrivenBeat a = restarted(before);
        a.pass();
        advance(Duration.ofMinutes(90));
        a.pass();
        advance(Duration.ofHours(1));
        a.pass();
        Instant judged = now;
        advance(Duration.ofHours(-1));
        assertThat(a.pass().runs()).as("fires that were fired before").isZero();
        advance(Duration.ofMinutes(10));
        HandDrivenBeat b = restarted(after);
        assertThat(b.pass().runs()).as("fires of times to come").isZero();
        advance(Duration.ofHours(-1));
        b.pass();
        for (int turn = 0; turn < 5; turn++) {
            advance(Duration.ofMinutes(37));
            b.pass();
        }
        Map<String, List<Instant>> due = new HashMap<>();
        addDue(due, before, START, judged);
        addDue(due, after, judged, now);
        check(due);
    }

    @Test
    void a_storm_of_edits_while_firing_every_second_loses_and_doubles_nothing() {
        ledger.setClock(now);
        HandDrivenBeat beat = restarted(storm(0));
        beat.pass();
        for (int edit = 1; edit <= 100; edit++) {
            advance(Duration.ofMillis(100));
            beat.with(storm(edit));
            beat.pass();
        }
        Map<String, List<Instant>> due = new HashMap<>();
        addDue(due, storm(0), START, now);
        check(Map.of("tick", due.get("tick"), "still", due.get("still")));
        assertThat(due.get("tick")).hasSize(10);
        assertThat(ledger.number("select count(distinct args::text) from run where schedule = 'tick'"))
                .isEqualTo(10);
    }

    private static String storm(int edit) {
        return "schedules:\n  tick: {every: 1s, task: noop, overlap: allow, args: {n: " + edit + "}}\n"
                + "  still: {every: 1s, task: noop, overlap: allow}\n"
                + (edit % 3 == 0 ? "" : "  comes-and-goes: {every: 1s, task: noop}\n");
    }
}
