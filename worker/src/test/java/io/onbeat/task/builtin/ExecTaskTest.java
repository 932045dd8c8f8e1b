package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MDC;

class ExecTaskTest {
    private final ExecTask task = new ExecTask();

    @TempDir
    Path folder;

    private static String shell(String script) {
        return Nightly.json(List.of("sh", "-c", script));
    }

    private Object sh(String script) throws Exception {
        return task.run(Nightly.context("{\"command\": " + shell(script) + "}"));
    }

    @Test
    void tellsTheCommandOfItsRun() throws Exception {
        Object result = task.run(Nightly.context(
                "{\"command\": " + shell("""
                printf '["%s","%s","%s","%s","%s","%s","%s"]' \
                  "$ONBEAT_RUN_KEY" "$ONBEAT_FIRE_AT" "$ONBEAT_ATTEMPT" "$ONBEAT_SCHEDULE" "$ONBEAT_TASK" "$COLOUR" "$(pwd)"
                """) + ", \"env\": {\"COLOUR\": \"rød\"}, \"cwd\": \"" + folder + "\"}"));
        assertThat((JsonNode) result)
                .extracting(JsonNode::asText)
                .containsExactly(
                        "nightly@2026-07-14T18:00:00Z",
                        "2026-07-14T18:00:00Z",
                        "2",
                        "nightly",
                        "exec",
                        "rød",
                        folder.toString());
    }

    @Test
    void argumentsArriveUnchanged() throws Exception {
        String args = "{\"command\":[\"sh\",\"-c\",\"echo \\\"$ONBEAT_ARGS\\\"\"],"
                + "\"input\":{\"big\":9007199254740993,\"text\":\"Åse 😀 \\\"quoted\\\"\",\"none\":null,\"empty\":{}}}";
        assertThat(task.run(Nightly.context(args))).isEqualTo(Nightly.json(args));
    }

    @Test
    void inheritsNoVariableOfTheWorker() throws Exception {
        JsonNode names =
                (JsonNode) sh("env | sed -n 's/^\\(ONBEAT_[A-Z_]*\\)=.*/\"\\1\"/p' | paste -sd, | sed 's/.*/[&]/'");
        assertThat(names)
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrder(
                        "ONBEAT_RUN_KEY",
                        "ONBEAT_FIRE_AT",
                        "ONBEAT_ATTEMPT",
                        "ONBEAT_SCHEDULE",
                        "ONBEAT_TASK",
                        "ONBEAT_ARGS",
                        "ONBEAT_RUN_FILE",
                        "ONBEAT_WORK_DIR",
                        "ONBEAT_EXEC_ID");
    }

    @Test
    void theRunFileHoldsTheWholeContext() throws Exception {
        String args = "{\"command\":[\"sh\",\"-c\",\"cat \\\"$ONBEAT_RUN_FILE\\\"\"],"
                + "\"input\":{\"big\":-9007199254740993000001,\"text\":\"Åse 😀\",\"none\":null,\"empty\":[],\"\":\"\"}}";
        assertThat(task.run(Nightly.context(args)))
                .hasToString("{\"run_key\":\"nightly@2026-07-14T18:00:00Z\","
                        + "\"schedule\":\"nightly\",\"task\":\"exec\",\"fire_at\":\"2026-07-14T18:00:00Z\","
                        + "\"attempt\":2,\"max_attempts\":4,\"args\":" + args + "}");
    }

    @Test
    void argumentsOfAMegabyteAreInTheRunFileAlone() throws Exception {
        String args = "{\"command\": " + shell("""
                printf '["%s",%s]' "${ONBEAT_ARGS-none}" "$(wc -c < "$ONBEAT_RUN_FILE")"
                """) + ", \"input\": \"" + "x".repeat(1_000_000) + "\"}";
        JsonNode result = (JsonNode) task.run(Nightly.context(args));
        assertThat(result.get(0).asText()).isEqualTo("none");
        assertThat(result.get(1).asInt()).isGreaterThan(1_000_000);
    }

    @Test
    void worksInAnEmptyFolderThatIsGoneAfterwards() throws Exception {
        Path kept = folder.resolve("kept");
        Files.writeString(kept, "kept");
        String script = """
                [ "$(pwd)" = "$ONBEAT_WORK_DIR" ] && [ -z "$(ls -A)" ] || exit 1
                mkdir -p a/b; echo 1 > a/b/file; ln -s %s a/link; chmod 500 a/b; chmod 0 a
                printf '["%%s","%%s"]' "$ONBEAT_WORK_DIR" "$ONBEAT_RUN_FILE"
                """.formatted(folder);
        JsonNode first = (JsonNode) sh(script);
        JsonNode second = (JsonNode) sh(script);
        assertThat(first.get(0)).isNotEqualTo(second.get(0));
        for (JsonNode path : List.of(first.get(0), first.get(1), second.get(0))) {
            assertThat(Path.of(path.asText())).doesNotExist();
            assertThat(Path.of(path.asText()).getParent()).doesNotExist();
        }
        assertThat(kept).hasContent("kept");
    }

    @Test
    void theLastJsonLineIsTheResult() throws Exception {
        assertThat(
                        sh(
                                "echo '{\"a\": 1}'; echo '{\"big\": 12345678901234567890, \"rate\": 0.1000000000000000000001}'; echo 'done [ok]'; echo '{broken}'"))
                .hasToString("{\"big\":12345678901234567890,\"rate\":0.1000000000000000000001}");
        assertThat(sh("echo '[1]' >&2; echo plain; echo 5")).isNull();
        assertThat(sh("cat; exit 0")).as("there is no input to wait for").isNull();
    }

    @Test
    void takesNumbersAsArguments() throws Exception {
        assertThat(task.run(Nightly.context("{\"command\": [\"sh\", \"-c\", \"echo [$0,$1]\", 5, true]}")))
                .hasToString("[5,true]");
    }

    @Test
    void anotherExitIsAFailureWithTheEndOfTheOutput() {
        assertThatThrownBy(() -> sh("seq 1 5000; echo so it went wrong >&2; exit 3"))
                .isInstanceOf(CommandFailed.class)
                .hasMessageStartingWith("\"sh\" exited with 3:\n…")
                .hasMessageContaining("4999\n")
                .hasMessageEndingWith("5000\nso it went wrong")
                .hasMessageNotContaining("\n100\n");
        assertThatThrownBy(() -> sh("kill -9 $$")).hasMessage("\"sh\" exited with 137 (signal 9)");
        assertThatThrownBy(() -> sh("printf 'a\\0b'; exit 1")).hasMessage("\"sh\" exited with 1:\na\uFFFDb");
    }

    @Test
    void exit75IsLater() {
        RetryLater later = catchThrowableOfType(RetryLater.class, () -> sh("echo busy; exit 75"));
        assertThat(later.delay()).isEqualTo(Duration.ofMinutes(1));
        assertThat(later).hasMessageContaining("busy");
        RetryLater sooner = catchThrowableOfType(
                RetryLater.class,
                () -> task.run(Nightly.context("{\"command\": " + shell("exit 75") + ", \"retry_after\": \"3s\"}")));
        assertThat(sooner.delay()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void whatIsNotThereIsAnOrdinaryFailure() {
        assertThatThrownBy(() -> task.run(Nightly.context("{\"command\": [\"no-such-program\"]}")))
                .isInstanceOf(CommandFailed.class)
                .hasMessageContaining("no-such-program");
        assertThatThrownBy(() -> task.run(Nightly.context("{\"command\": [\"true\"], \"cwd\": \"/no/such\"}")))
                .hasMessage("\"true\" was not started: cwd \"/no/such\" is not a folder here");
    }

    @Test
    void streamsTheOutputToTheLogOfTheRun() throws Exception {
        RecordingLogger logger = new RecordingLogger();
        MDC.put("run", "nightly");
        try {
            task.run(Nightly.test("{\"command\": " + shell("echo one; echo two; printf three") + "}")
                    .logger(logger)
                    .context());
        } finally {
            MDC.remove("run");
        }
        assertThat(logger.lines()).extracting(RecordingLogger.Line::text).containsExactly("one", "two", "three");
        assertThat(logger.lines()).extracting(line -> line.context().get("run")).containsOnly("nightly");
    }

    @Test
    void logsOneMegabyteOfTheOutputAndSaysWhereItStops() {
        RecordingLogger logger = new RecordingLogger();
        TaskContext context = Nightly.test("{\"command\": " + shell("seq 1 100000; exit 1") + "}")
                .logger(logger)
                .context();
        assertThatThrownBy(() -> task.run(context)).hasMessageEndingWith("99999\n100000");
        assertThat(logger.lines())
                .hasSizeBetween(5_000, 20_000)
                .last()
                .satisfies(line -> assertThat(line.text())
                        .isEqualTo("the command has written more than 1 MB of log: what else it writes is not logged"));
    }

    @Test
    void anInterruptEndsTheWholeTree() throws Exception {
        Path pids = folder.resolve("pids");
        // a stubborn child; a stubborn grandchild in a session of its own; an orphan that forgot its environment; a
        // stubborn
        // orphan of an orphan; one that answers SIGTERM with a new stubborn process in a session of its own
        Interrupted interrupted = Interrupted.start(
                task, Nightly.context("{\"command\": " + shell("""
                trap '' TERM
                sh -c 'trap "" TERM; echo $$ >> pids; sleep 1000; sleep 1000' &
                (setsid sh -c 'trap "" TERM; echo $$ >> pids; sleep 1000; sleep 1000' &)
                (env -i PATH="$PATH" sh -c 'echo $$ >> pids; exec sleep 1000' &)
                (setsid sh -c '(setsid sh -c "trap : TERM INT HUP; echo \\$\\$ >> pids; sleep 1000; sleep 1000" &)' &)
                sh -c 'trap "setsid sh -c \\"trap : TERM; echo \\\\\\$\\\\\\$ >> pids; sleep 1000; sleep 1000\\" & sleep 1000" TERM
                    echo $$ >> pids; sleep 1000; sleep 1000' &
                echo last words; echo $$ >> pids
                sleep 1000; sleep 1000
                """) + ", \"cwd\": \"" + folder + "\"}"));
        await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == 6);
        assertThat(interrupted.endWithin(Duration.ofSeconds(30)))
                .isInstanceOf(InterruptedException.class)
                .hasMessage("\"sh\" was ended while it ran:\nlast words");
        assertThat(living(pids)).isEmpty();
    }

    @Test
    void aWorkerThatIsKilledTakesItsCommandAlong() throws Exception {
        Path pids = folder.resolve("pids");
        Process worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        WorkerToKill.class.getName(),
                        "{\"command\": "
                                + shell(
                                        "echo $ONBEAT_WORK_DIR > work; echo $$ >> pids; sh -c 'trap \"\" TERM; echo $$ >> pids; sleep 1000; sleep 1000'; :")
                                + ", \"cwd\": \"" + folder + "\"}")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        await().until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == 2);
        assertThat(living(pids)).hasSize(2);
        Path work = Path.of(Files.readString(folder.resolve("work")).strip());
        assertThat(work).isDirectory();
        worker.destroyForcibly();
        await().until(() -> living(pids).isEmpty());
        await().until(() -> Files.notExists(work.getParent()));
    }

    /** Runs one command in a process of its own. */
    static final class WorkerToKill {
        private WorkerToKill() {}

        public static void main(String[] args) throws Exception {
            new ExecTask().run(Nightly.context(args[0]));
        }
    }

    @Test
    void whatTheCommandLeavesBehindEndsWithIt() throws Exception {
        sh("cd " + folder
                + "; (setsid sh -c 'echo $$ >> pids; echo > ready; sleep 1000' &); until [ -e ready ]; do :; done");
        assertThat(living(folder.resolve("pids"))).isEmpty();
    }

    @Test
    void neverWaitsForAnOutputThatAnEscapedProcessHoldsOpen() throws Exception {
        long start = System.nanoTime();
        Object result = sh("cd " + folder + "; echo '{\"a\": 1}'; "
                + "(env -i PATH=\"$PATH\" setsid sh -c 'echo $$ > pids; echo > ready; exec sleep 1000' &); "
                + "until [ -e ready ]; do :; done");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        assertThat(result).hasToString("{\"a\":1}");
        living(folder.resolve("pids")).forEach(ProcessHandle::destroyForcibly);
    }

    private static List<ProcessHandle> living(Path pids) throws IOException {
        List<ProcessHandle> living = new ArrayList<>();
        for (String pid : Files.readAllLines(pids)) {
            ProcessHandle.of(Long.parseLong(pid))
                    .filter(handle -> !isZombie(handle.pid()))
                    .ifPresent(living::add);
        }
        return living;
    }

    private static boolean isZombie(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.anyMatch(line -> line.startsWith("State:") && line.contains("Z"));
        } catch (IOException gone) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                           | "command" is missing; it must be a list such as [python3, mail.py]
            {"command": "python3 mail.py"}               | "command" must be a list such as [python3, mail.py] (there is no shell: [sh, -c, …] starts one), not "python3 mail.py"
            {"command": []}                              | not []
            {"command": ["a", null]}                     | not ["a",null]
            {"command": ["a"], "environment": {}}        | unknown argument "environment"; it takes command, env, cwd, input, retry_after
            {"command": ["a"], "env": {"X": ["hidden"]}} | but "X" is a list
            {"command": ["a"], "retry_after": "soon"}    | "retry_after": "soon" is not a duration: write numbers with d, h, m, s or ms
            """)
    void namesTheWrongArgument(String args, String expected) {
        assertThatThrownBy(() -> task.run(Nightly.context(args)))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageStartingWith("exec: ")
                .hasMessageContaining(expected)
                .hasMessageNotContaining("hidden");
    }
}
