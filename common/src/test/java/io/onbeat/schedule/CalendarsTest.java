package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarsTest {
    private static final String YAML = """
            timezone: Asia/Shanghai
            calendars:
              cn-holidays: [2027-01-01, 2026-10-01..2026-10-07]
              stocktaking: 2026-12-31
            schedules:
              s: {cron: "0 2 * * *", task: t, except: [cn-holidays, stocktaking]}
            """;

    private final TestFiles files;

    CalendarsTest(@TempDir Path directory) {
        files = new TestFiles(directory);
    }

    @Test
    void aFireIsExcludedByItsDateInTheSchedulesZone() {
        Schedule schedule = files.one(YAML);
        assertThat(schedule.excludes(Instant.parse("2026-09-30T15:59:59Z"))).isFalse();
        assertThat(schedule.excludes(Instant.parse("2026-09-30T16:00:00Z"))).isTrue();
        assertThat(schedule.excludes(Instant.parse("2026-10-07T15:59:59Z"))).isTrue();
        assertThat(schedule.excludes(Instant.parse("2026-10-07T16:00:00Z"))).isFalse();
        assertThat(schedule.excludes(Instant.parse("2026-12-30T16:00:00Z"))).isTrue();
        assertThat(schedule.excludes(Instant.parse("2027-01-01T15:59:59Z"))).isTrue();
    }

    @Test
    void anExcludedFireStaysDue() {
        Schedule schedule = files.one(YAML);
        Instant before = Instant.parse("2026-09-30T12:00:00Z");
        assertThat(schedule.fireTimes().next(before)).contains(Instant.parse("2026-09-30T18:00:00Z"));
        assertThat(schedule.nextNotExcluded(before)).contains(Instant.parse("2026-10-07T18:00:00Z"));
    }

    @Test
    void whereEveryFireIsExcludedNoneIsLeft() {
        Schedule schedule = files.one("""
                calendars: {always: [0001-01-01..9999-12-31]}
                schedules: {s: {cron: "* * * * * ?", task: t, except: always}}
                """);
        assertThat(schedule.nextNotExcluded(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
    }

    @Test
    void theNextFireThatIsNotExcludedIsFoundWhereADateIsPassedTwice() {
        // the clock went back from 00:01 on the 7th to 23:01 on the 6th
        Schedule schedule = files.one("""
                timezone: America/Goose_Bay
                calendars: {sixth: [2010-11-06]}
                schedules: {s: {cron: "*/30 * * * *", task: t, except: [sixth]}}
                """);
        assertThat(schedule.nextNotExcluded(Instant.parse("2010-11-06T12:00:00Z")))
                .contains(Instant.parse("2010-11-07T03:00:00Z"));
        assertThat(schedule.nextNotExcluded(Instant.parse("2010-11-07T03:00:00Z")))
                .contains(Instant.parse("2010-11-07T04:00:00Z"));
    }

    @Test
    void theLedgersCopyHasTheDatesAndJudgesAlike() {
        Schedule schedule = files.one(YAML);
        assertThat(schedule.toJson())
                .contains("\"except\":{\"cn-holidays\":[\"2026-10-01..2026-10-07\",\"2027-01-01\"],"
                        + "\"stocktaking\":[\"2026-12-31\"]}");
        Schedule copy = Schedule.fromJson("s", schedule.toJson());
        assertThat(copy).isEqualTo(schedule);
        assertThat(copy.excludes(Instant.parse("2026-10-03T18:00:00Z"))).isTrue();
    }

    @Test
    void anotherDateIsAnEditThatKeepsTheWatermark() {
        Schedule schedule = files.one(YAML);
        Schedule edited = files.one(YAML.replace("2026-12-31", "2026-12-30"));
        Schedule without = files.one(YAML.replace(", except: [cn-holidays, stocktaking]", ""));
        assertThat(edited.hash()).isNotEqualTo(schedule.hash());
        assertThat(edited.ruleHash()).isEqualTo(schedule.ruleHash()).isEqualTo(without.ruleHash());
        assertThat(new ScheduleSet.Change(schedule, edited).keys()).containsExactly("except");
        assertThat(new ScheduleSet.Change(schedule, edited).firesDifferently()).isFalse();
    }

    @Test
    void theSameDaysWrittenOtherwiseAreNoEdit() {
        Schedule otherwise = files.one("""
                timezone: Asia/Shanghai
                calendars:
                  stocktaking: ["2026-12-31"]
                  cn-holidays: [2026-10-04, 2026-10-05..2026-10-07, 2026-10-01..2026-10-05, 2027-01-01..2027-01-01]
                schedules:
                  s: {cron: "0 2 * * *", task: t, except: [stocktaking, cn-holidays, stocktaking]}
                """);
        assertThat(otherwise).isEqualTo(files.one(YAML));
    }

    @Test
    void defaultsMayNameCalendarsAndAScheduleNone() {
        ScheduleSet set = files.load("""
                schedules:
                  a: {every: 1h, task: t}
                  b: {every: 1h, task: t, except: []}
                  c: {every: 1h, task: t, except: other}
                defaults: {except: holidays}
                calendars: {holidays: [2027-01-01], other: []}
                """);
        Instant holiday = Instant.parse("2027-01-01T12:00:00Z");
        assertThat(set.all()).extracting(schedule -> schedule.excludes(holiday)).containsExactly(true, false, false);
    }

    @Test
    void aCalendarServesAllFilesOfADirectory() {
        files.write("a.yaml", "schedules: {a: {every: 1h, task: t, except: holidays}}");
        files.write("z.yaml", "calendars: {holidays: [2027-01-01]}");
        Schedule schedule = ScheduleFile.load(files.directory()).find("a").orElseThrow();
        assertThat(schedule.excludes(Instant.parse("2027-01-01T00:00:00Z"))).isTrue();
        Path again = files.write("zz.yaml", "calendars: {holidays: [2028-01-01], other: x}");
        assertThat(TestFiles.errors(files.directory()))
                .hasMessage(again + ":1:13: duplicate calendar \"holidays\": "
                        + files.directory().resolve("z.yaml") + ":1 has it already\n" + again
                        + ":1:44: calendar other: \"x\" is not a date: write a date that exists, such as 2027-01-01,"
                        + " or a range of them, such as 2026-10-01..2026-10-07");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "calendars: []|1:12: calendars: a list is not a map: write {NAME: [2027-01-01]}",
                "calendars:|1:11: calendars: an empty value is not a map: write {NAME: [2027-01-01]}",
                "calendars: {a b: []}|1:13: calendar \"a b\" is not a valid name: use 1 to 100 of A-Z a-z 0-9 . _ -, the first one a letter or digit",
                "calendars: {a: [2027-01-01], a: []}|1:30: duplicate calendar \"a\": FILE:1 has it already",
                "calendars: {a: 20270101}|1:16: calendar a: 20270101 is not text: give a text, in quotes where it looks like a number",
                "calendars: {a: }|1:15: calendar a: an empty value is not text: give a text, in quotes where it looks like a number",
                "calendars: {a: {b: c}}|1:16: calendar a: a map is not text",
                "calendars: {a: [2026-10-07..2026-10-01]}|1:17: calendar a: \"2026-10-07..2026-10-01\" ends before it starts: write 2026-10-01..2026-10-07",
                "calendars: {a: [2027-01-01, 2027-02-29]}|1:29: calendar a: \"2027-02-29\" is not a date",
                "calendars: {a: [2027-1-1]}|1:17: calendar a: \"2027-1-1\" is not a date",
                "calendars: {a: [2026-10-01...2026-10-07]}|1:17: calendar a: \"2026-10-01...2026-10-07\" is not a date",
                "calendars: {a: ['2026-10-01 .. 2026-10-07']}|1:17: calendar a: \"2026-10-01 .. 2026-10-07\" is not a date",
                "calendars: {a: [0000-01-01]}|OK",
                "calendas: {a: [2027-01-01]}|1:1: unknown key \"calendas\"; did you mean \"calendars\"?"
            })
    void whatIsWrongWithACalendarIsToldWhereItStands(String yaml, String problem) {
        String file = files.directory().resolve("schedule.yaml").toString();
        String whole = yaml + "\nschedules: {s: {every: 1h, task: t}}";
        if (problem.equals("OK")) {
            assertThat(files.load(whole).size()).isEqualTo(1);
        } else {
            assertThat(files.problems(whole)).singleElement().asString().startsWith(problem.replace("FILE", file));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cn-holiday|55: schedule s: except: no calendar \"cn-holiday\"; did you mean \"cn-holidays\"?",
                "[x]|56: schedule s: except: no calendar \"x\"; known are cn-holidays, wrong",
                "[cn-holidays, 2027-01-01]|69: schedule s: except: no calendar \"2027-01-01\"; known are cn-holidays, wrong",
                "{cn-holidays: [2027-01-01]}|55: schedule s: except: a map is not a list of calendars: write [NAME], and its dates under calendars",
                "5|55: schedule s: except: 5 is not text: give a text, in quotes where it looks like a number",
                "[[cn-holidays]]|56: schedule s: except: a list is not text"
            })
    void whatIsWrongWithAnExceptIsToldWhereItStands(String except, String problem) {
        String yaml =
                "calendars: {cn-holidays: [2027-01-01], wrong: []}\nschedules: {s: {every: 1h, task: t, queue: d, except: %s}}"
                        .formatted(except);
        assertThat(files.problems(yaml)).singleElement().asString().startsWith("2:" + problem);
    }

    @Test
    void aWrongExceptOfTheDefaultsIsToldOnce() {
        assertThat(files.problems("""
                        defaults: {except: [holiday]}
                        calendars: {holidays: [2027-13-01]}
                        schedules: {a: {every: 1h, task: t}, b: {every: 1h, task: t}, c: {every: 1h, task: t, except: holidays}}
                        """))
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem)
                        .isEqualTo("1:21: except: no calendar \"holiday\"; did you mean \"holidays\"?"));
    }

    @Test
    void theLedgersExceptIsCheckedToo() {
        assertThatThrownBy(() -> Schedule.fromJson("s", "{\"every\":\"1h\",\"task\":\"t\",\"except\":{\"a\":[\"x\"]}}"))
                .isInstanceOf(InvalidSchedule.class)
                .hasMessageContaining("\"x\" is not a date");
        assertThatThrownBy(() -> Schedule.fromJson("s", "{\"every\":\"1h\",\"task\":\"t\",\"except\":[\"a\"]}"))
                .hasMessageContaining("is not a map of calendars");
    }

    @Test
    void manyRangesAreSearchedRightly() {
        Random random = new Random(7);
        LocalDate start = LocalDate.of(2026, 1, 1);
        for (int round = 0; round < 200; round++) {
            Set<LocalDate> days = new TreeSet<>();
            List<DateRange> ranges = random.ints(random.nextInt(20), 0, 100)
                    .mapToObj(day -> new DateRange(start.plusDays(day), start.plusDays(day + random.nextInt(5))))
                    .toList();
            ranges.forEach(
                    range -> range.first().datesUntil(range.last().plusDays(1)).forEach(days::add));
            Calendar calendar = new Calendar("c", ranges);
            for (LocalDate day = start.minusDays(2); day.isBefore(start.plusDays(110)); day = day.plusDays(1)) {
                assertThat(calendar.holding(day).isPresent()).isEqualTo(days.contains(day));
            }
        }
    }
}
