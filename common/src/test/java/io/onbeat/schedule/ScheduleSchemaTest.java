package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the reader accepts, an editor with the schema accepts too; what it takes for wrong is wrong to the reader. */
class ScheduleSchemaTest {
    private static final Path ROOT = Path.of(System.getProperty("onbeat.root"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(ScheduleSchema.json());

    /** A value of every key that a schedule may have: a key without one fails the test. */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("cron", "[\"0 2 * * *\", \"0 0 12 ? * MON#2\", \"@daily\"]"),
            Map.entry("every", "1h30m"),
            Map.entry("at", "2026-12-24T18:00:00+01:00"),
            Map.entry("from", "2026-01-01T00:00:00Z"),
            Map.entry("until", "2099-01-01T00:00Z"),
            Map.entry("enabled", "false"),
            Map.entry("task", "http"),
            Map.entry("args", "{url: x, deep: [1, 2.5, null, yes]}"),
            Map.entry("unique_by", "day"),
            Map.entry("timezone", "Asia/Shanghai"),
            Map.entry("queue", "night"),
            Map.entry("timeout", "PT10M"),
            Map.entry("retry", "{max_attempts: 9, initial: 1s, factor: 1.5, max: 1h, jitter: 0.5}"),
            Map.entry("catch_up", "all"),
            Map.entry("catch_up_window", "7d"),
            Map.entry("misfire_grace", "0s"),
            Map.entry("overlap", "queue"),
            Map.entry("except", "[holidays]"),
            Map.entry("jitter", "30s"),
            Map.entry("expires", "1h"),
            Map.entry("alert", "{late_after: 5m, failures: 3}"),
            Map.entry("was", "former"),
            Map.entry("description", "what it is for"),
            Map.entry("owner", "finance"),
            Map.entry("tags", "[a, b]"));

    private final TestFiles files;

    ScheduleSchemaTest(@TempDir Path directory) {
        files = new TestFiles(directory);
    }

    @Test
    void theCopyBesideTheExamplesIsThisOne() throws IOException {
        assertThat(ROOT.resolve("deploy/examples/schedule.schema.json"))
                .as("write it anew with: ./onbeat schema > deploy/examples/schedule.schema.json")
                .hasContent(ScheduleSchema.json());
        assertThat(Files.readString(ROOT.resolve("deploy/examples/schedule.yaml")))
                .startsWith("# yaml-language-server: $schema=schedule.schema.json\n");
    }

    @Test
    void itSaysWhatItIs() throws IOException {
        JsonNode schema = JSON.readTree(ScheduleSchema.json());
        assertThat(schema.get("$schema").textValue()).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        JsonNode timeout = schema.at("/$defs/schedule/properties/timeout");
        assertThat(timeout.get("default").textValue()).isEqualTo("5m");
        assertThat(timeout.get("description").textValue()).isNotBlank();
        assertThat(schema.at("/$defs/schedule/properties/overlap/enum").toString())
                .isEqualTo("[\"allow\",\"skip\",\"queue\"]");
        assertThat(schema.at("/$defs/schedule/properties/retry/default/max_attempts")
                        .intValue())
                .isEqualTo(4);
    }

    @Test
    void everyKeyOfTheReaderIsInTheSchemaAndTheOtherWayRound() throws IOException {
        JsonNode schema = JSON.readTree(ScheduleSchema.json());
        assertThat(names(schema.get("properties"))).isEqualTo(Keys.TOP.names());
        assertThat(names(schema.at("/$defs/schedule/properties")))
                .isEqualTo(Keys.SCHEDULE.names())
                .isEqualTo(SAMPLES.keySet());
        assertThat(names(schema.at("/$defs/defaults/properties"))).isEqualTo(Keys.DEFAULTS.names());
        assertThat(names(schema.at("/$defs/task/properties"))).isEqualTo(Keys.TASK.names());
        assertThat(names(schema.at("/$defs/retry/properties"))).isEqualTo(Keys.RETRY.names());
        assertThat(names(schema.at("/$defs/alert/properties"))).isEqualTo(Keys.ALERT.names());
    }

    static Stream<String> keys() {
        return SAMPLES.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyIsReadAndIsInTheSpecOfTheLedger(String key) throws IOException {
        String rule = Set.of("cron", "every", "at").contains(key) ? "" : "every: 1h, ";
        String task = key.equals("task") ? "" : ", task: t";
        String yaml = "calendars: {holidays: [2027-01-01]}\nschedules: {s: {%s%s: %s%s}}"
                .formatted(rule, key, SAMPLES.get(key), task);
        assertThat(complaints(yaml)).isEmpty();
        Schedule schedule = files.one(yaml);
        Schedule plain = files.one("schedules: {s: {every: 2h, task: plain}}");
        assertThat(schedule.toJson()).contains("\"" + key + "\":");
        assertThat(new ScheduleSet.Change(plain, schedule).keys())
                .satisfies(changed ->
                        assertThat(key.equals("was") || changed.contains(key)).isTrue());
        assertThat(Schedule.fromJson("s", schedule.toJson())).isEqualTo(schedule);
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void aDefaultIsWhatHoldsWhereTheKeyIsAbsent(String key, String value) {
        Schedule absent = files.one("schedules: {s: {every: 1h, task: t}}");
        assertThat(files.one("schedules: {s: {every: 1h, task: t, %s: %s}}".formatted(key, value)))
                .isEqualTo(absent);
    }

    static Stream<Object[]> defaults() {
        return Keys.SCHEDULE.all().stream()
                .filter(key -> key.otherwise().isPresent())
                .map(key -> new Object[] {key.name(), key.otherwise().get()});
    }

    @ParameterizedTest
    @MethodSource("retryDefaults")
    void aDefaultOfRetryIsWhatHoldsWhereTheKeyIsAbsent(String key, String value) {
        String first = Set.of("factor", "max").contains(key) ? "initial: 1s" : "";
        String both = first.isEmpty() ? key + ": " + value : first + ", " + key + ": " + value;
        assertThat(files.one("schedules: {s: {every: 1h, task: t, retry: {" + both + "}}}"))
                .isEqualTo(files.one("schedules: {s: {every: 1h, task: t, retry: {" + first + "}}}"));
    }

    static Stream<Object[]> retryDefaults() {
        return Keys.RETRY.all().stream()
                .filter(key -> key.otherwise().isPresent())
                .map(key -> new Object[] {key.name(), key.otherwise().get()});
    }

    @Test
    void everyFileOfTheExamplesAndEveryPageIsValid() throws IOException {
        List<String> all = DocYaml.schedules(ROOT);
        assertThat(all).hasSizeGreaterThan(8);
        for (String yaml : all) {
            assertThat(complaints(yaml)).as(yaml).isEmpty();
            assertThat(files.load(yaml).size()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedules: {s: {task: t}}",
                "schedules: {s: {every: 1h}}",
                "schedules: {s: {every: 1h, cron: '@daily', task: t}}",
                "schedules: {s: {at: '2026-01-01T00:00:00Z', from: '2026-01-01T00:00:00Z', task: t}}",
                "schedules: {s: {every: 1x, task: t}}",
                "schedules: {s: {every: '', task: t}}",
                "schedules: {s: {every: 90, task: t}}",
                "schedules: {s: {at: 2026-01-01, task: t}}",
                "schedules: {s: {cron: '* * * *', task: t}}",
                "schedules: {s: {cron: [], task: t}}",
                "schedules: {s: {every: 1h, task: 'a b'}}",
                "schedules: {a b: {every: 1h, task: t}}",
                "schedules: {s: {every: 1h, task: t, overlap: Skip}}",
                "schedules: {s: {every: 1h, task: t, unique_by: minute}}",
                "schedules: {s: {every: 1h, task: t, catch_up: yes}}",
                "schedules: {s: {every: 1h, task: t, enabled: yes}}",
                "schedules: {s: {every: 1h, task: t, args: [1]}}",
                "schedules: {s: {every: 1h, task: t, tags: x}}",
                "schedules: {s: {every: 1h, task: t, alert: {failures: 0}}}",
                "schedules: {s: {every: 1h, task: t, alert: {failures: 1.5}}}",
                "schedules: {s: {every: 1h, task: t, retry: {max_attempts: 0}}}",
                "schedules: {s: {every: 1h, task: t, retry: {jitter: 2}}}",
                "schedules: {s: {every: 1h, task: t, retry: {delays: []}}}",
                "schedules: {s: {every: 1h, task: t, retry: {delays: [1s], initial: 1s}}}",
                "schedules: {s: {every: 1h, task: t, retry: {max: 1h}}}",
                "schedules: {s: {every: 1h, task: t, retry: {tries: 4}}}",
                "schedules: {s: {every: 1h, task: t, description: }}",
                "schedules: {s: {every: 1h, task: t, wait: 1}}",
                "defaults: {task: t}\nschedules: {}",
                "calendars: {a: [2027-1-1]}",
                "calendars: {a: {b: c}}",
                "schedules: []",
                "timezone: UTC",
                "[]"
            })
    void whatTheReaderRejectsAnEditorMarks(String yaml) throws IOException {
        assertThat(files.problems(yaml)).isNotEmpty();
        assertThat(complaints(yaml)).isNotEmpty();
    }

    private static Set<String> names(JsonNode object) {
        return Set.copyOf(object.properties().stream().map(Map.Entry::getKey).toList());
    }

    private static Set<ValidationMessage> complaints(String yaml) throws IOException {
        try (JsonParser tokens = Yaml.parser(new StringReader(yaml))) {
            return SCHEMA.validate(
                    JSON.readTree(ArgsJson.text(new NodeReader(tokens).read().orElseThrow())));
        } catch (MalformedFile e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
