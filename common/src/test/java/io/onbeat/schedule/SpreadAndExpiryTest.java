package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code jitter}, {@code expires}, {@code overlap}, {@code alert} and {@code was}. */
class SpreadAndExpiryTest {
    private static final String KEYS = """
            schedules:
              s: {every: 1h, task: t, jitter: 120s, expires: 15m, alert: {late_after: 5m, failures: 3}, was: old}
            """;

    private final TestFiles files;

    SpreadAndExpiryTest(@TempDir Path directory) {
        files = new TestFiles(directory);
    }

    @Test
    void theKeysAreInTheSpecAndComeBackFromIt() {
        Schedule schedule = files.one(KEYS);
        assertThat(schedule.policy().jitter()).isEqualTo(new Jitter(Duration.ofMinutes(2)));
        assertThat(schedule.policy().expires()).contains(Duration.ofMinutes(15));
        assertThat(schedule.alert().lateAfter()).contains(Duration.ofMinutes(5));
        assertThat(schedule.alert().failures()).contains(3);
        assertThat(schedule.was()).contains("old");
        assertThat(schedule.toJson())
                .contains(
                        "\"jitter\":\"2m\",\"expires\":\"15m\",\"alert\":{\"late_after\":\"5m\",\"failures\":3},\"was\":\"old\"");
        assertThat(Schedule.fromJson("s", schedule.toJson())).isEqualTo(schedule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jitter: 120s, ",
                "expires: 15m, ",
                "alert: {late_after: 5m, failures: 3}, ",
                "late_after: 5m, ",
                ", failures: 3",
                ", was: old"
            })
    void eachOfThemIsInTheHashAndNoneDecidesWhenItFires(String key) {
        Schedule schedule = files.one(KEYS);
        Schedule without = files.one(KEYS.replace(key, ""));
        assertThat(without.hash()).isNotEqualTo(schedule.hash());
        assertThat(without.ruleHash()).isEqualTo(schedule.ruleHash());
    }

    @Test
    void aSpecWithoutThemReadsAsItDidBeforeThereWereAny() {
        Schedule plain = files.one("schedules: {s: {every: 1h, task: t}}");
        assertThat(plain.toJson()).doesNotContain("jitter\":\"", "expires", "alert", "was", "except");
        assertThat(files.one("schedules: {s: {every: 1h, task: t, jitter: 0s, except: [], alert: {}}}"))
                .isEqualTo(plain);
    }

    @Test
    void theOffsetFollowsFromTheRunKeyAndIsSpreadEvenly() {
        Schedule schedule = files.one(KEYS);
        List<Duration> offsets = IntStream.range(0, 1_000)
                .mapToObj(hour -> "s@" + Instant.parse("2026-01-01T00:00:00Z").plusSeconds(3600L * hour))
                .map(schedule::offset)
                .toList();
        assertThat(offsets)
                .allMatch(offset -> !offset.isNegative() && offset.compareTo(Duration.ofMinutes(2)) <= 0)
                .allMatch(offset -> offset.getNano() % 1_000_000 == 0)
                .anyMatch(offset -> offset.toMillisPart() != 0);
        int[] tenths = new int[10];
        offsets.forEach(offset -> tenths[(int) Math.min(9, offset.toMillis() / 12_000)]++);
        assertThat(tenths)
                .satisfies(counts ->
                        assertThat(Arrays.stream(counts).boxed()).allMatch(count -> count > 70 && count < 130));
        assertThat(offsets.stream().distinct().count()).isGreaterThan(980);
    }

    @Test
    void theOffsetIsTheSameInEveryProcessAndVersion() {
        Jitter jitter = new Jitter(Duration.ofMinutes(2));
        assertThat(jitter.offset("s@2026-07-14T18:00:00Z")).isEqualTo(Duration.ofMillis(73_021));
        assertThat(Jitter.NONE.offset("s@2026-07-14T18:00:00Z")).isZero();
    }

    @Test
    void bothEndsOfTheJitterAreReached() {
        Jitter jitter = new Jitter(Duration.ofMillis(3));
        assertThat(IntStream.range(0, 100)
                        .mapToObj(i -> jitter.offset("key" + i).toMillis()))
                .containsOnly(0L, 1L, 2L, 3L);
        Jitter longest = new Jitter(Durations.LONGEST);
        assertThat(IntStream.range(0, 100).mapToObj(i -> longest.offset("key" + i)))
                .allMatch(offset -> offset.compareTo(Durations.LONGEST) <= 0);
    }

    @Test
    void defaultsReachEveryScheduleAndAScheduleHasTheLastWord() {
        ScheduleSet set = files.load("""
                defaults: {jitter: 10s, expires: 1h, alert: {late_after: 5m, failures: 3}, overlap: queue}
                schedules:
                  a: {every: 1h, task: t}
                  b: {every: 1h, task: t, jitter: 0s, expires: 2h, alert: {failures: 1}, overlap: allow}
                """);
        Schedule a = set.find("a").orElseThrow();
        Schedule b = set.find("b").orElseThrow();
        assertThat(a.policy().jitter().most()).isEqualTo(Duration.ofSeconds(10));
        assertThat(a.policy().expires()).contains(Duration.ofHours(1));
        assertThat(a.policy().overlap()).isEqualTo(Overlap.QUEUE);
        assertThat(b.policy().jitter()).isEqualTo(Jitter.NONE);
        assertThat(b.policy().expires()).contains(Duration.ofHours(2));
        assertThat(b.alert().lateAfter()).contains(Duration.ofMinutes(5));
        assertThat(b.alert().failures()).contains(1);
        assertThat(b.policy().overlap()).isEqualTo(Overlap.ALLOW);
    }

    @ParameterizedTest
    @CsvSource({
        "'',SKIP",
        "'catch_up: latest',SKIP",
        "'catch_up: all',QUEUE",
        "'catch_up: all, overlap: skip',SKIP",
        "'catch_up: all, overlap: allow',ALLOW",
        "'overlap: queue',QUEUE"
    })
    void overlapIsAsWrittenAndElseFollowsFromCatchUp(String keys, Overlap overlap) {
        assertThat(files.one("schedules: {s: {every: 1h, task: t, " + keys + "}}")
                        .policy()
                        .overlap())
                .isEqualTo(overlap);
        assertThat(files.one("defaults: {" + keys + "}\nschedules: {s: {every: 1h, task: t}}")
                        .policy()
                        .overlap())
                .isEqualTo(overlap);
    }

    @Test
    void anOverlapOfTheDefaultsIsAsWrittenBesideACatchUpOfTheSchedule() {
        assertThat(files.one("defaults: {overlap: skip}\nschedules: {s: {every: 1h, task: t, catch_up: all}}")
                        .policy()
                        .overlap())
                .isEqualTo(Overlap.SKIP);
        assertThat(files.one("defaults: {catch_up: all}\nschedules: {s: {every: 1h, task: t, catch_up: none}}")
                        .policy()
                        .overlap())
                .isEqualTo(Overlap.SKIP);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jitter: 5|45: schedule s: jitter: 5 has no unit: write 5s for seconds",
                "jitter: -5s|45: schedule s: jitter: \"-5s\" is negative",
                "jitter: [5s]|45: schedule s: jitter: a list is not text",
                "jiter: 5s|37: schedule s: unknown key \"jiter\"; did you mean \"jitter\"?",
                "expires: 0s|46: schedule s: expires: \"0s\" is not allowed: give at least 1ms",
                "expires: never|46: schedule s: expires: \"never\" is not a duration",
                "expire: 5s|37: schedule s: unknown key \"expire\"; did you mean \"expires\"?",
                "overlap: quue|46: schedule s: overlap: \"quue\" is not one of allow, skip, queue; did you mean \"queue\"?",
                "overlaps: queue|37: schedule s: unknown key \"overlaps\"; did you mean \"overlap\"?",
                "alert: 5m|44: schedule s: alert: \"5m\" is not a map: write {late_after: 5m, failures: 3}",
                "alert: {late: 5m}|45: schedule s: unknown key \"late\"; known are failures, late_after",
                "alert: {late_after: 0s}|57: schedule s: late_after: \"0s\" is not allowed: give at least 1ms",
                "alert: {failures: 0}|55: schedule s: alert: failures 0 is out of range: use 1 to 1000000",
                "alert: {failures: few}|55: schedule s: failures: \"few\" is not a whole number of at most 9 digits",
                "alert: {failure: 3}|45: schedule s: unknown key \"failure\"; did you mean \"failures\"?",
                "alerts: {}|37: schedule s: unknown key \"alerts\"; did you mean \"alert\"?",
                "excpt: []|37: schedule s: unknown key \"excpt\"; did you mean \"except\"?",
                "was: s|42: schedule s: was: \"s\" is the name that it has: remove it",
                "was: a b|42: schedule s: was: schedule \"a b\" is not a valid name",
                "was: [a]|42: schedule s: was: a list is not text"
            })
    void whatIsWrongIsToldWhereItStands(String key, String problem) {
        assertThat(files.problems("schedules: {s: {every: 1h, task: t, " + key + "}}"))
                .singleElement()
                .asString()
                .startsWith("1:" + problem);
    }

    @Test
    void aFormerNameIsThatOfOneScheduleAndOfNoneThatThereIs() {
        files.write("a.yaml", "schedules: {a: {every: 1h, task: t, was: old}, b: {every: 1h, task: t, was: c}}");
        Path other = files.write("b.yaml", "schedules: {c: {every: 1h, task: t}, d: {every: 1h, task: t, was: old}}");
        Path first = files.directory().resolve("a.yaml");
        assertThat(TestFiles.errors(files.directory()))
                .hasMessage(first + ":1:77: schedule b: was: \"c\" is a schedule of its own (" + other
                        + ":1): remove one of them\n" + other
                        + ":1:67: schedule d: was: \"old\" is the former name of a already: its history can move to one"
                        + " schedule only");
    }
}
