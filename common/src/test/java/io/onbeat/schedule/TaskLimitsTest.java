package io.onbeat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskLimitsTest {
    private final Path directory;
    private final TestFiles files;

    TaskLimitsTest(@TempDir Path directory) {
        this.directory = directory;
        this.files = new TestFiles(directory);
    }

    @Test
    void theLimitsOfAllFilesHoldTogether() {
        files.write("a.yaml", "tasks: {report: {max_concurrency: 2}}");
        files.write("b.yaml", "tasks: {mail: {max_concurrency: 10000}}\nschedules: {s: {every: 1h, task: t}}");
        ScheduleSet set = ScheduleFile.load(directory);
        assertThat(set.limits()).isEqualTo(Map.of("mail", 10_000, "report", 2));
        assertThat(set).isNotEqualTo(new ScheduleSet(set.all()));
        Path again = files.write("c.yaml", "tasks: {report: {max_concurrency: 3}}");
        assertThat(TestFiles.errors(directory))
                .hasMessage(again + ":1:9: duplicate task \"report\": " + directory.resolve("a.yaml")
                        + ":1 has it already");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tasks: []|1:8: tasks: a list is not a map: write {NAME: {max_concurrency: 2}}",
                "tasks: {a: 3}|1:12: tasks.a: 3 is not a map: write {max_concurrency: 2}",
                "tasks: {a: {}}|1:12: tasks.a: max_concurrency is missing: write {max_concurrency: 2}",
                "tasks: {a b: {max_concurrency: 2}}|1:9: task \"a b\" is not a valid name",
                "tasks: {a: {max_concurency: 2}}|1:13: unknown key \"max_concurency\"; did you mean \"max_concurrency\"?",
                "tasks: {a: {max_concurrency: two}}|1:30: max_concurrency: \"two\" is not a whole number",
                "tasks: {a: {max_concurrency: 1.5}}|1:30: max_concurrency: 1.5 is not a whole number",
                "tasks: {a: {max_concurrency: -1}}|1:30: tasks.a.max_concurrency: -1 is not from 1 to 10000",
                "tasks: {a: {max_concurrency: 0}}|1:30: tasks.a.max_concurrency: 0 is not from 1 to 10000; to let none run, pause",
                "tsks: {a: {max_concurrency: 2}}|1:1: unknown key \"tsks\"; did you mean \"tasks\"?"
            })
    void aMistakeIsToldWithItsPlaceAndField(String yaml, String problem) {
        assertThat(files.problems(yaml + "\nschedules: {}")).first().asString().startsWith(problem);
    }
}
