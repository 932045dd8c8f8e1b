package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random crons around clock changes, against a slow walk over every real minute (or second) and every reading of the clock. */
class FireTimesPropertyTest {
    private static final long SEED = 20260714;
    private static final int CRONS_PER_ZONE = 120;
    private static final int PROBES = 60;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Antarctica/Troll", "America/New_York",
                "Europe/Dublin", "Africa/Casablanca", "America/St_Johns", "Pacific/Chatham", "Africa/Cairo",
                        "Asia/Pyongyang"
            })
    void nextAgreesWithASlowWalk(String name) {
        ZoneId zone = ZoneId.of(name);
        Random random = new Random(SEED + name.length());
        for (int i = 0; i < CRONS_PER_ZONE; i++) {
            RandomCron cron = RandomCron.minutes(random);
            LocalDateTime middle = aChange(zone, random);
            assertAgree(cron, zone, middle.minusHours(36).withSecond(0), 72 * 60, 60);
        }
        for (int i = 0; i < CRONS_PER_ZONE / 4; i++) {
            RandomCron cron = RandomCron.seconds(random);
            LocalDateTime middle = aChange(zone, random);
            assertAgree(cron, zone, middle.minusMinutes(150), 5 * 3600, 1);
        }
    }

    private static LocalDateTime aChange(ZoneId zone, Random random) {
        Instant start = LocalDateTime.of(2010 + random.nextInt(25), 1 + random.nextInt(12), 1, 0, 0)
                .toInstant(ZoneOffset.UTC);
        ZoneOffsetTransition change = zone.getRules().nextTransition(start);
        Instant middle = change == null ? start : change.getInstant();
        if (zone.getId().equals("Pacific/Apia") && random.nextInt(3) == 0) {
            middle = Instant.parse("2011-12-30T10:00:00Z");
        }
        return LocalDateTime.ofInstant(middle, ZoneOffset.UTC);
    }

    private static void assertAgree(RandomCron cron, ZoneId zone, LocalDateTime from, int ticks, int step) {
        Instant start = from.toInstant(ZoneOffset.UTC).minusSeconds(1);
        Instant end = start.plusSeconds((long) ticks * step);
        List<Instant> slow = List.copyOf(slowWalk(cron, zone, start, end, step));
        List<Instant> fast = new ArrayList<>();
        FireTimes times = new CronTimes(CronParser.parse(cron.text()), zone);
        Optional<Instant> fire = times.next(start);
        while (fire.isPresent() && !fire.get().isAfter(end)) {
            fast.add(fire.get());
            fire = times.next(fire.get());
        }
        assertThat(fast).as("%s in %s after %s", cron.text(), zone, start).isEqualTo(slow);
        assertAgreeAnywhere(times, slow, start, end);
    }

    /** A search may begin at any instant, also in the second pass of an overlap, where no promise fires. */
    private static void assertAgreeAnywhere(FireTimes times, List<Instant> slow, Instant start, Instant end) {
        if (slow.isEmpty()) {
            return;
        }
        Random random = new Random(SEED);
        long length = end.getEpochSecond() - start.getEpochSecond();
        for (int i = 0; i < PROBES; i++) {
            Instant after = start.plusSeconds((long) (random.nextDouble() * length));
            Optional<Instant> expected =
                    slow.stream().filter(fire -> fire.isAfter(after)).findFirst();
            if (expected.isPresent()) {
                assertThat(times.next(after)).as("%s after %s", times, after).isEqualTo(expected);
            }
        }
    }

    private static Set<Instant> slowWalk(RandomCron cron, ZoneId zone, Instant start, Instant end, int step) {
        // begins a day earlier, so that a first pass before the window is known to have been
        Set<LocalDateTime> seen = new HashSet<>();
        Set<Instant> fires = new TreeSet<>();
        LocalDateTime previous = null;
        for (Instant now = start.plusSeconds(1).minusSeconds(step == 1 ? 14_400 : 86_400);
                !now.isAfter(end);
                now = now.plusSeconds(step)) {
            LocalDateTime local = LocalDateTime.ofInstant(now, zone);
            if (cron.everyInstant()) {
                if (cron.matches(local)) {
                    fires.add(now);
                }
            } else {
                LocalDateTime reading = previous == null ? local : previous.plusSeconds(step);
                for (; !reading.isAfter(local); reading = reading.plusSeconds(step)) {
                    // readings that the clock jumped over fall to this instant
                    if (seen.add(reading) && cron.matches(reading)) {
                        fires.add(now);
                    }
                }
                if (seen.add(local) && cron.matches(local)) {
                    fires.add(now);
                }
            }
            previous = local;
        }
        fires.removeIf(fire -> !fire.isAfter(start));
        return fires;
    }
}
