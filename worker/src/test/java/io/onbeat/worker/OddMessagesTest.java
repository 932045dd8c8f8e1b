package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.onbeat.message.DeadMessage;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OddMessagesTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void anUnreadableMessageGoesToTheDeadQueueWithTheReason() throws Exception {
        Worker worker = rig.start("w");
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("x@1")
                .type("noop")
                .headers(Map.of("CC", List.of("elsewhere"), "customer", "7"))
                .build();

        rig.withChannel(channel -> {
            rig.topology.declareTaskQueue(channel.getConnection(), "default");
            channel.basicPublish("onbeat.task", "default", properties, "not json".getBytes(StandardCharsets.UTF_8));
            return null;
        });

        GetResponse dead = rig.takeDead();
        assertThat(dead.getProps().getHeaders().get("reason").toString()).startsWith("its body is not JSON");
        assertThat(dead.getProps().getHeaders().get("customer").toString()).isEqualTo("7");
        assertThat(dead.getBody()).asString().isEqualTo("not json");
        assertThat(worker.counts().unreadable()).isEqualTo(1);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void aMessageWithoutIdOrWithTooMuchIsUnreadableToo() throws Exception {
        Worker worker = rig.start("w");
        String large = "{\"task\":\"noop\",\"args\":{\"a\":\"" + "x".repeat(1 << 20) + "\"}}";

        outside(new BasicProperties.Builder().type("noop").build(), "{}");
        outside(new BasicProperties.Builder().messageId("large@1").build(), large);
        outside(new BasicProperties.Builder().messageId("zero@1").type("no\0op").build(), "{}");

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().unreadable() == 3);
        List<String> reasons = List.of(reason(), reason(), reason());
        assertThat(reasons).anyMatch(reason -> reason.startsWith("it has no message_id"));
        assertThat(reasons).anyMatch(reason -> reason.startsWith("its args are over 1 MB"));
        assertThat(reasons).anyMatch(reason -> reason.startsWith("the ledger cannot store it"));
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void anOutsidersMessageIsAdoptedOnce() throws Exception {
        AtomicInteger executions = new AtomicInteger();
        Worker worker = rig.start("w", TestTask.of("mail", context -> {
            executions.incrementAndGet();
            return context.args().path("to").asText();
        }));
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("mail-4711")
                .type("mail")
                .headers(Map.of("attempt", 9))
                .build();

        for (int i = 0; i < 3; i++) {
            outside(properties, "{\"args\":{\"to\":\"ada\"}}");
        }

        rig.awaitState("mail-4711", "succeeded");
        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().duplicates() == 2);
        assertThat(executions).hasValue(1);
        assertThat(rig.ledger.texts("select origin || ' ' || result || ' ' || (schedule is null) from run"))
                .containsExactly("outside \"ada\" true");
        assertThat(worker.counts().adopted()).isEqualTo(1);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void oursWithAnUnknownKeyIsOlderThanTheRetentionAndNeverRunAgain() throws Exception {
        Worker worker = rig.start("w");

        rig.publish(List.of(message(new Attempt(99, "gone@1", 1))), 1);

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().forgotten() == 1);
        assertThat(rig.state("gone@1")).isEqualTo("none");
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void oursWithAnotherIdIsFoundByItsKey() {
        rig.insert(List.of(rig.run("other@1", "noop")));
        rig.start("w");

        rig.publish(List.of(message(new Attempt(99, "other@1", 1))), 1);

        rig.awaitState("other@1", "succeeded");
    }

    @Test
    void aDeadMessageThatWasMovedBackIsAReplayAndAStaleOneIsNot() throws Exception {
        AtomicBoolean mended = new AtomicBoolean();
        Worker worker = rig.start("w", TestTask.of("flaky", context -> {
            if (!mended.get()) {
                throw new IllegalStateException("broken");
            }
            return context.attempt();
        }));
        TaskMessage message = rig.fire(rig.run("flaky@1", "flaky", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));
        rig.awaitState("flaky@1", "dead");
        mended.set(true);

        moveBack(message, 1);

        rig.awaitState("flaky@1", "succeeded");
        assertThat(rig.ledger.texts("select result::text || ' ' || failures from run"))
                .containsExactly("2 0");
        moveBack(message, 1);
        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().duplicates() == 1);
        assertThat(worker.counts().replayed()).isEqualTo(1);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void anEarlyMessageIsHeldUntilItsTime() {
        TaskMessage message = rig.insert(List.of(rig.run("early@1", "noop"))).get(0);
        rig.ledger.execute("update run set next_attempt_at = clock() + interval '700 ms'");
        rig.start("w");

        rig.publish(List.of(message), 1);

        rig.awaitState("early@1", "succeeded");
    }

    @Test
    void aMessageThatIsFarTooEarlyOrWhoseRunHasExpiredIsAcknowledged() throws Exception {
        List<TaskMessage> messages = rig.insert(List.of(rig.run("early@1", "noop"), rig.run("expired@1", "noop")));
        rig.ledger.execute("update run set next_attempt_at = clock() + interval '2 min' where key = 'early@1'");
        rig.ledger.execute("update run set expires_at = clock() where key = 'expired@1'");
        Worker worker = rig.start("w");

        rig.publish(messages, 1);

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().expired() == 1);
        assertThat(rig.leftAfterStop()).isZero();
        assertThat(rig.state("early@1")).isEqualTo("queued");
    }

    private void moveBack(TaskMessage message, int diedAt) {
        Encoded dead = MessageCodec.encode(new DeadMessage(
                new TaskMessage(
                        new Attempt(message.attempt().runId(), message.attempt().runKey(), diedAt),
                        message.origin(),
                        message.schedule(),
                        message.task(),
                        message.queue(),
                        message.fireAt(),
                        message.args(),
                        Optional.empty()),
                1,
                Optional.of("X"),
                Optional.of("broken"),
                Optional.of("w")));
        rig.publishRaw("default", List.of(dead), 1);
    }

    private void outside(BasicProperties properties, String body) {
        rig.publishRaw("default", List.of(new Encoded(properties, body.getBytes(StandardCharsets.UTF_8))), 1);
    }

    private String reason() throws Exception {
        return rig.takeDead().getProps().getHeaders().get("reason").toString();
    }

    private static TaskMessage message(Attempt attempt) {
        return new TaskMessage(
                attempt,
                Origin.SCHEDULE,
                Optional.empty(),
                "noop",
                "default",
                Instant.parse("2026-07-14T02:00:00Z"),
                "{}",
                Optional.empty());
    }
}
