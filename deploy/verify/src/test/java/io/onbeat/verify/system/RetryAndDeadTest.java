package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A failure comes back after its delay; what is exhausted waits in the dead queue, and an operator sets it going again. */
class RetryAndDeadTest {
    private static final String DEAD_QUEUE = "onbeat.dead.default";
    /** What a delay may take longer on a machine that is busy with other tests. It may never be shorter. */
    private static final double TOLERANCE_SECONDS = 3;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @BeforeAll
    static void start() {
        cluster.schedules("""
                schedules:
                  sync:
                    at: "2040-01-01T00:00:00Z"
                    task: fails-while-broken
                    args: {partner: north}
                    overlap: allow
                    retry: {max_attempts: 3, delays: [1s, 2s]}
                """);
        cluster.startBeat();
        cluster.startWorker();
        cluster.books().await("select count(*) = 1 from schedule");
    }

    @Test
    void threeAttemptsThenOneDeadMessageThatACommandRunsAgain() {
        String key = failThreeTimes("by-command");

        CommandLine.Answer replay = cluster.onbeat("dead", "replay", key);
        assertThat(replay.exitCode()).as(replay.toString()).isZero();
        succeedsAtTheFourthAttempt(key);
    }

    @Test
    void threeAttemptsThenOneDeadMessageThatAMoveInTheConsoleRunsAgain() {
        String key = failThreeTimes("by-console");

        cluster.console().move(DEAD_QUEUE, "onbeat.task.default");
        succeedsAtTheFourthAttempt(key);
        cluster.console().awaitDepth(DEAD_QUEUE, 0);
    }

    private String failThreeTimes(String id) {
        books.execute("insert into verify.broken values ('partner north is closed')");
        CommandLine.Answer trigger = cluster.onbeat("trigger", "sync", "--key", id);
        assertThat(trigger.exitCode()).as(trigger.toString()).isZero();
        String key = books.text("select key from run order by id desc limit 1");

        books.await("select state = 'dead' from run where key = ?", key);
        books.execute("delete from verify.broken");
        theAttemptsAreThoseOfThePolicy(key);
        theDeadMessageTellsAll(key);
        return key;
    }

    private void theAttemptsAreThoseOfThePolicy(String key) {
        List<String> gaps = books.texts("""
                select extract(epoch from started_at - lag(finished_at) over (order by attempt))
                from attempt where run_id = (select id from run where key = ?) order by attempt""", key);
        assertThat(gaps).hasSize(3);
        assertThat(Double.parseDouble(gaps.get(1))).isBetween(1.0, 1.0 + TOLERANCE_SECONDS);
        assertThat(Double.parseDouble(gaps.get(2))).isBetween(2.0, 2.0 + TOLERANCE_SECONDS);
        assertThat(books.texts("""
                select attempt || ' ' || outcome || ' ' || error_message || ' ' || (stack_trace like '%FailsWhileBroken.run%')
                from attempt where run_id = (select id from run where key = ?) order by attempt""", key))
                .containsExactly(
                        "1 failed partner north is closed true",
                        "2 failed partner north is closed true",
                        "3 failed partner north is closed true");
    }

    private void theDeadMessageTellsAll(String key) {
        books.await("select count(*) = 0 from outbox");
        List<Console.Message> dead = cluster.console().peek(DEAD_QUEUE, 10).stream()
                .filter(message ->
                        message.properties().path("message_id").asText().equals(key))
                .toList();
        assertThat(dead).hasSize(1);
        Console.Message message = dead.get(0);
        assertThat(message.properties().path("type").asText()).isEqualTo("fails-while-broken");
        assertThat(message.header("error_class").asText()).isEqualTo("java.lang.IllegalStateException");
        assertThat(message.header("error_message").asText()).isEqualTo("partner north is closed");
        assertThat(message.header("worker").asText()).isEqualTo("worker-1");
        assertThat(message.header("attempt").asInt()).isEqualTo(3);
        assertThat(message.header("failures").asInt()).isEqualTo(3);
        assertThat(message.header("dead").asInt()).isEqualTo(3);
        JsonNode body = Console.parse(message.payload());
        assertThat(body.path("key").asText()).isEqualTo(key);
        assertThat(body.path("args").path("partner").asText()).isEqualTo("north");
    }

    private void succeedsAtTheFourthAttempt(String key) {
        books.await("select state = 'succeeded' from run where key = ?", key);
        assertThat(books.text("select attempt || ' ' || failures || ' ' || result from run where key = ?", key))
                .isEqualTo("4 0 \"mended\"");
    }
}
