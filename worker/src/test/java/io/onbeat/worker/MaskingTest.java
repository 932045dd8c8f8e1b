package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.NewRun;
import io.onbeat.task.Skipped;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PATH stands for a secret: it is set wherever the tests run, and long. */
class MaskingTest {
    private static final String ARGS = "{\"secret\": \"${env:PATH}\"}";
    private static final String SECRET =
            Optional.ofNullable(System.getenv("PATH")).orElse("");

    private final WorkerRig rig = new WorkerRig();

    @BeforeEach
    void isSet() {
        assertThat(SECRET).hasSizeGreaterThan(10);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void resultsShowNoResolvedValue() {
        rig.start(
                "w",
                TestTask.of("echo", context -> context.args()),
                TestTask.of("settle", context -> context.transaction(connection -> context.args())),
                TestTask.of("idle", context -> {
                    throw new Skipped(
                            "nothing at " + context.args().path("secret").asText());
                }));

        fire("echo", ARGS);
        fire("settle", ARGS);
        fire("idle", ARGS);

        rig.awaitState("echo@1", "succeeded");
        rig.awaitState("settle@1", "succeeded");
        rig.awaitState("idle@1", "skipped");
        assertThat(rig.ledger.texts("select result->>'secret' from run where state = 'succeeded'"))
                .containsExactly("***", "***");
        assertThat(rig.ledger.texts("select error_message from run where state = 'skipped'"))
                .containsExactly("nothing at ***");
    }

    @Test
    void failuresShowNoResolvedValueWhereverTheyAreKept() {
        rig.start("w", TestTask.of("broken", context -> {
            String secret = context.args().path("secret").asText();
            throw new IllegalStateException("x".repeat(3_990) + secret, new IllegalArgumentException("of " + secret));
        }));

        fire("broken", ARGS);

        rig.awaitState("broken@1", "dead");
        assertThat(rig.ledger.texts("select error_message from run")).containsExactly("x".repeat(3_990) + "***");
        assertThat(rig.ledger.texts("select stack_trace from attempt").get(0))
                .contains("IllegalArgumentException: of ***")
                .doesNotContain(SECRET);
        assertThat(rig.ledger.number("select count(*) from outbox where kind = 'dead'"))
                .isEqualTo(1);
        assertThat(rig.ledger.texts("select outbox::text from outbox")).noneMatch(row -> row.contains(SECRET));
    }

    @Test
    void aCommandsOutputShowsNoResolvedValue() {
        String args =
                "{\"command\": [\"sh\", \"-c\", \"echo to out $0; echo to err $0 >&2; exit 3\", \"${env:PATH}\"]}";
        try (LogCapture log = new LogCapture()) {
            rig.start("w", Map.of("ONBEAT_ALLOWED_TASKS", "*,exec"));

            fire("exec", args);

            rig.awaitState("exec@1", "dead");
            await().until(() -> log.text().contains("to err ***") && log.text().contains("to out ***"));
            assertThat(log.text()).doesNotContain(SECRET);
        }
        assertThat(rig.ledger.texts("select error_message from run"))
                .containsExactly("\"sh\" exited with 3:\nto out ***\nto err ***");
    }

    private void fire(String task, String args) {
        NewRun run = rig.run(task + "@1", task, "{\"max_attempts\":1}", 1, Duration.ofMinutes(1));
        rig.fire(rig.withArgs(run, args));
    }
}
