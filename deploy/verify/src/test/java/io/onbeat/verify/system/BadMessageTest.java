package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.RunNow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What no worker can run ends in a dead queue with its reason; nothing is lost, and nothing turns in a loop. */
class BadMessageTest {
    private static final String MORE_THAN_1_MB = "{\"text\": \"" + "x".repeat(1 << 20) + "\"}";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final Console console = cluster.console();

    @BeforeAll
    static void start() {
        cluster.schedules("""
                defaults: {retry: {max_attempts: 2, delays: [1s]}}
                schedules:
                  nobody: {at: "2040-01-01T00:00:00Z", task: no-such-task, queue: unknown}
                  somebody: {at: "2040-01-01T00:00:00Z", task: record, queue: args}
                """);
        cluster.startBeat();
        Node worker = cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:4,unknown:4,json:4,args:4"));
        cluster.books().await("select count(*) = 2 from schedule");
        // a message that comes before its queue is there has nowhere to go
        List.of("default", "unknown", "json", "args")
                .forEach(queue -> worker.awaitLog("consuming onbeat.task." + queue));
    }

    @Test
    void aTaskThatNobodyRegisteredUsesItsAttemptsAndIsDeadWithThatReason() throws SQLException {
        assertThat(new RunNow(books.ledger()).trigger("nobody", Optional.empty(), Optional.empty(), "test"))
                .isInstanceOf(RunNow.Outcome.Queued.class);
        books.await("select count(*) = 1 from run where schedule = 'nobody' and state = 'dead'");
        assertThat(books.texts("select outcome || ' ' || attempt.error_message from attempt"
                        + " join run on run.id = run_id where schedule = 'nobody'"))
                .hasSize(2)
                .allMatch(line -> line.startsWith("failed") && line.contains("no-such-task"));
        console.awaitDepth("onbeat.dead.unknown", 1);
        assertThat(console.peek("onbeat.dead.unknown", 10)
                        .get(0)
                        .header("error_message")
                        .asText())
                .contains("no-such-task");
        console.awaitDepth("onbeat.task.unknown", 0);
    }

    @Test
    void aBodyThatIsNotJsonIsDeadWithThatReason() {
        console.publish("onbeat.task", "json", Map.of("message_id", "from-outside", "type", "record"), "{not json");
        console.awaitDepth("onbeat.dead.json", 1);
        Console.Message dead = console.peek("onbeat.dead.json", 10).get(0);
        assertThat(dead.payload()).isEqualTo("{not json");
        assertThat(dead.header("reason").asText()).contains("not JSON");
        assertThat(dead.properties().path("message_id").asText()).isEqualTo("from-outside");
        console.awaitDepth("onbeat.task.json", 0);
        stillWorks("json");
    }

    @Test
    void aMessageWithoutAnIdIsDeadWithThatReason() {
        console.publish("onbeat.task", "default", Map.of("type", "record"), "{\"args\": {}}");
        console.awaitDepth("onbeat.dead.default", 1);
        assertThat(console.peek("onbeat.dead.default", 10)
                        .get(0)
                        .header("reason")
                        .asText())
                .contains("message_id");
        stillWorks("default");
    }

    @Test
    void argsOfMoreThanAMegabyteFromOutsideAreDeadWithThatReason() {
        console.publish(
                "onbeat.task",
                "args",
                Map.of("message_id", "too-much", "type", "record"),
                "{\"args\": " + MORE_THAN_1_MB + "}");
        console.awaitDepth("onbeat.dead.args", 1);
        Console.Message dead = console.peek("onbeat.dead.args", 10).get(0);
        assertThat(dead.header("reason").asText()).contains("1 MB");
        assertThat(dead.payload()).hasSizeGreaterThan(1 << 20);
        stillWorks("args");
    }

    @Test
    void argsOfMoreThanAMegabyteAreRefusedWhenARunIsAskedFor() throws IOException {
        Path args = Files.writeString(cluster.folder().resolve("args.json"), MORE_THAN_1_MB);
        CommandLine.Answer answer = cluster.onbeat("trigger", "somebody", "--args", "@" + args);
        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).contains("--args").contains("1 MB").hasLineCount(1);
        assertThat(books.number("select count(*) from run where schedule = 'somebody'"))
                .isZero();
    }

    /** A good message from outside on the same queue is adopted and run. */
    private void stillWorks(String queue) {
        String key = "good-on-" + queue;
        console.publish(
                "onbeat.task", queue, Map.of("message_id", key, "type", "record"), "{\"args\": {\"millis\": 0}}");
        books.await("select count(*) = 1 from run where key = ? and state = 'succeeded' and origin = 'outside'", key);
        assertThat(books.number("select count(*) from verify.execution where run_key = ?", key))
                .isEqualTo(1);
    }
}
