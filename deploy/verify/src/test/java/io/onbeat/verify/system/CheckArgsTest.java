package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./onbeat check} finds arguments that a task could not work with, in its jar. */
class CheckArgsTest {
    @TempDir
    private Path folder;

    private Path jars;

    @BeforeEach
    void tasks() throws IOException {
        jars = Files.createDirectory(folder.resolve("jars"));
        TaskFolder.fill(jars);
        // this build made them; the launcher goes by the time, and is to build nothing beside other tests
        for (Path jar : List.of(Processes.beatJar(), Processes.workerJar())) {
            Files.setLastModifiedTime(jar, FileTime.from(Instant.now()));
        }
    }

    private record Answer(int exitCode, String out, String err) {}

    private Answer check(String yaml, Map<String, String> settings, String... words) throws Exception {
        Path file = Files.writeString(folder.resolve("schedule.yaml"), yaml);
        List<String> command =
                new ArrayList<>(List.of(Processes.root().resolve("onbeat").toString(), "check"));
        command.addAll(List.of(words));
        command.add(file.toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().clear();
        builder.environment().putAll(Processes.environment(settings));
        Process process = builder.start();
        // it may have to build what is stale first
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("./onbeat check did not end");
        }
        return new Answer(
                process.exitValue(),
                Files.readString(folder.resolve("out")).replace(file.toString(), "FILE"),
                Files.readString(folder.resolve("err")).replace(file.toString(), "FILE"));
    }

    @Test
    void aWrongArgumentOfAJavaTaskAndOneOfABuiltInAreFoundWithScheduleFieldAndValue() throws Exception {
        String yaml = """
                schedules:
                  java: {every: 1h, task: settle-points, args: {batch: many}}
                  built-in: {every: 1h, task: http, args: {url: "ftp://x"}}
                  unknown: {every: 1h, task: setle-points}
                """;
        String builtIn = "FILE: schedule built-in: http: the argument \"url\" must be an http or https URL such as"
                + " https://orders.internal/sync, not \"ftp://x\"";
        Answer answer = check(yaml, Map.of(), "--tasks", jars.toString());
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.out().lines())
                .containsExactly(builtIn, "FILE: schedule java: args.batch: \"many\" is not a whole number");
        assertThat(answer.err().lines())
                .containsExactly(
                        "onbeat: warning: FILE: schedule unknown: no task \"setle-points\" here; did you mean"
                                + " \"settle-points\"?",
                        "onbeat: " + builtIn + " (and 1 more)");

        Answer json = check(yaml, Map.of("ONBEAT_TASKS_DIR", jars.toString()), "--json");
        assertThat(json.exitCode()).isEqualTo(2);
        assertThat(json.out())
                .startsWith(
                        "{\"valid\":false,\"problems\":[{\"file\":\"FILE\",\"line\":0,\"column\":0,\"schedule\":\"built-in\",");
    }

    @Test
    void whatIsInOrderIsShownAsEver() throws Exception {
        Answer answer = check(
                "schedules: {s: {every: 1h, task: settle-points, args: {batch: 500}}}", Map.of(), "--tasks=" + jars);
        assertThat(answer.err()).isEmpty();
        assertThat(answer.exitCode()).isZero();
        assertThat(answer.out()).endsWith("1 schedule, all valid\n");
    }

    @Test
    void aMistakeInTheFileIsToldOnceAndAFolderThatIsNotThereIsOne() throws Exception {
        Answer answer = check("schedules: {s: {every: 1h}}", Map.of(), "--tasks", jars.toString());
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err().lines()).hasSize(1).allMatch(line -> line.contains("task"));
        Answer missing = check("schedules: {}", Map.of(), "--tasks", folder + "/none");
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("is not a folder: name the one with the jars of your tasks");
    }
}
