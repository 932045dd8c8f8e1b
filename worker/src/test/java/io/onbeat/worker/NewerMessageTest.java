package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.onbeat.broker.QueueDepth;
import io.onbeat.message.Headers;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.message.TaskMessage;
import io.onbeat.worker.publish.UnreadableMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rolling update: messages of version 2 beside workers that read version 1. */
class NewerMessageTest {
    private final WorkerRig rig = new WorkerRig();
    private final AtomicInteger executions = new AtomicInteger();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void itIsPutOffAsItCameNoFailureIsCountedAndWhatFollowsItIsRun() throws Exception {
        Worker older = start();
        TaskMessage message = rig.insert(List.of(rig.run("new@1", "count"))).get(0);
        Encoded newer = newer(message, 0);

        rig.publishRaw("default", List.of(newer), 1);
        rig.fire(rig.run("old@1", "count"));

        rig.awaitState("old@1", "succeeded");
        GetResponse putOff = takePutOff();
        assertThat(putOff.getBody()).isEqualTo(newer.body());
        assertThat(putOff.getProps().getMessageId()).isEqualTo("new@1");
        assertThat(putOff.getProps().getType()).isEqualTo("count");
        assertThat(texts(putOff.getProps().getHeaders()))
                .containsAllEntriesOf(texts(newer.properties().getHeaders()))
                .containsEntry("returns", "1");
        assertThat(older.counts().putOff()).isEqualTo(1);
        assertThat(older.counts().unreadable()).isZero();
        assertThat(executions).hasValue(1);
        assertThat(rig.ledger.texts("select state || ' ' || attempt || ' ' || failures from run where key = 'new@1'"))
                .containsExactly("queued 0 0");
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void itComesBackForAWorkerThatReadsItAndTheLedgersRunIsStillThere() {
        start();
        TaskMessage message = rig.insert(List.of(rig.run("new@1", "count"))).get(0);
        rig.publishRaw("default", List.of(newer(message, 0)), 1);

        await().atMost(WorkerRig.LIMIT).until(this::isPutOff);
        // what a worker of the next version sees, and a beat of this version when it publishes the run again
        rig.publish(List.of(message), 1);

        rig.awaitState("new@1", "succeeded");
        assertThat(executions).hasValue(1);
    }

    @Test
    void whereNoNewerWorkerComesItEndsInTheDeadQueueWithTheReason() throws Exception {
        Worker older = start();
        TaskMessage message = rig.insert(List.of(rig.run("new@1", "count"))).get(0);

        rig.publishRaw("default", List.of(newer(message, UnreadableMessages.MOST_RETURNS)), 1);

        assertThat(rig.takeDead().getProps().getHeaders().get("reason").toString())
                .startsWith("its body has version 2, and this worker reads up to 1: update it")
                .endsWith("no newer worker took it in 60 tries");
        assertThat(older.counts().unreadable()).isEqualTo(1);
        assertThat(rig.state("new@1")).isEqualTo("queued");
        assertThat(executions).hasValue(0);
        assertThat(rig.leftAfterStop()).isZero();
    }

    private Worker start() {
        return rig.start("older", TestTask.of("count", context -> executions.incrementAndGet()));
    }

    private static Encoded newer(TaskMessage message, int returns) {
        Encoded ours = MessageCodec.encode(message);
        Map<String, Object> headers = new HashMap<>(ours.properties().getHeaders());
        headers.put("shard", "7");
        if (returns > 0) {
            headers.put(Headers.RETURNS, returns);
        }
        BasicProperties properties =
                ours.properties().builder().headers(headers).build();
        String body = new String(ours.body(), StandardCharsets.UTF_8).replace("\"version\":1", "\"version\":2");
        return new Encoded(properties, body.getBytes(StandardCharsets.UTF_8));
    }

    private String delayQueue() {
        return rig.topology.retryQueue("default", UnreadableMessages.PUT_OFF);
    }

    private GetResponse takePutOff() throws IOException {
        await().atMost(WorkerRig.LIMIT).until(this::isPutOff);
        return rig.withChannel(channel -> channel.basicGet(delayQueue(), true));
    }

    private boolean isPutOff() throws IOException {
        return rig.withChannel(channel -> QueueDepth.of(channel.getConnection(), delayQueue())
                .filter(depth -> depth.ready() == 1)
                .isPresent());
    }

    private static Map<String, String> texts(Map<String, Object> headers) {
        Map<String, String> texts = new HashMap<>();
        headers.forEach((name, value) -> texts.put(name, value.toString()));
        return texts;
    }
}
