package io.onbeat.worker;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.Publisher;
import io.onbeat.broker.Topology;
import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.TestLedger;
import io.onbeat.local.TestServices;
import io.onbeat.local.Vhost;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Origin;
import io.onbeat.task.Task;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A fresh ledger and virtual host with workers on them, and what a beat would do: write runs and publish their messages. */
final class WorkerRig implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Instant FIRE_AT = Instant.parse("2026-07-14T02:00:00Z");

    final TestLedger ledger = new TestLedger();
    final Vhost vhost = TestServices.freshVhost();
    final BrokerSettings broker;
    final Topology topology = new Topology("onbeat");
    private final Publisher publisher;
    private final List<Worker> workers = new ArrayList<>();

    WorkerRig() {
        broker = settings("rig", Map.of()).servers().broker();
        publisher = new Publisher(broker, "rig");
    }

    WorkerSettings settings(String id, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>();
        environment.put(ServerSettings.DATABASE_URL, ledger.settings().url());
        environment.put(ServerSettings.DATABASE_USER, ledger.settings().user());
        environment.put(ServerSettings.DATABASE_PASSWORD, ledger.settings().password());
        environment.put(ServerSettings.AMQP_URL, vhost.amqpUrl());
        environment.put(WorkerSettingNames.WORKER_ID, id);
        environment.put(WorkerSettingNames.DRAIN, "2s");
        environment.put(WorkerSettingNames.LEASE_RENEW, "200ms");
        environment.putAll(more);
        Settings settings = Settings.of(environment);
        WorkerSettings read = WorkerSettings.read(settings, id);
        settings.check();
        return read;
    }

    Worker start(String id, Task... tasks) {
        return start(id, Map.of(), tasks);
    }

    Worker start(String id, Map<String, String> more, Task... tasks) {
        Worker worker = new Worker(settings(id, more), List.of(tasks), new SimpleMeterRegistry());
        workers.add(worker);
        worker.start();
        return worker;
    }

    NewRun run(String key, String task) {
        return run(key, task, "{\"max_attempts\":3,\"delays\":[\"1s\",\"2s\"]}", 3, Duration.ofMinutes(5));
    }

    NewRun run(String key, String task, String retry, int maxAttempts, Duration timeout) {
        return new NewRun(
                key,
                Optional.empty(),
                Optional.of("test"),
                task,
                "default",
                Origin.SCHEDULE,
                FIRE_AT,
                "{}",
                timeout,
                retry,
                maxAttempts,
                false,
                false,
                Optional.empty(),
                Optional.empty());
    }

    NewRun withArgs(NewRun run, String args) {
        return new NewRun(
                run.key(),
                run.scheduleId(),
                run.schedule(),
                run.task(),
                run.queue(),
                run.origin(),
                run.fireAt(),
                args,
                run.timeout(),
                run.retry(),
                run.maxAttempts(),
                run.serial(),
                run.waiting(),
                run.notBefore(),
                run.expiresAt());
    }

    /** Writes the run and publishes its first message. */
    TaskMessage fire(NewRun run) {
        TaskMessage message = insert(List.of(run)).get(0);
        publish(List.of(message), 1);
        return message;
    }

    List<TaskMessage> insert(List<NewRun> runs) {
        try {
            Map<String, Long> ids = ledger.ledger().transaction(connection -> Runs.insert(connection, runs));
            return runs.stream()
                    .map(run -> run.firstMessage(ids.get(run.key())))
                    .toList();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Publishes each message so many times; returns when the broker has confirmed all of them. */
    void publish(List<TaskMessage> messages, int times) {
        List<Encoded> encoded = messages.stream().map(MessageCodec::encode).toList();
        publishRaw("default", encoded, times);
    }

    void publishRaw(String queue, List<Encoded> messages, int times) {
        CountDownLatch confirms = new CountDownLatch(messages.size() * times);
        List<String> failures = new ArrayList<>();
        Publisher.Answer answer = new Publisher.Answer() {
            @Override
            public void confirmed() {
                confirms.countDown();
            }

            @Override
            public void failed(String reason) {
                failures.add(reason);
                confirms.countDown();
            }
        };
        try {
            for (int i = 0; i < times; i++) {
                for (Encoded message : messages) {
                    publisher.publishTask(queue, message, answer);
                }
            }
            if (!confirms.await(60, TimeUnit.SECONDS) || !failures.isEmpty()) {
                throw new IllegalStateException("not all confirmed: " + failures);
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    String state(String key) {
        return ledger.texts("select state from run where key = ?", key).stream()
                .findFirst()
                .orElse("none");
    }

    void awaitState(String key, String state) {
        await().atMost(LIMIT).until(() -> state(key), state::equals);
    }

    /** Takes a message from the dead queue of {@code default}, waiting for both. */
    GetResponse takeDead() {
        return await().atMost(LIMIT)
                .ignoreExceptions()
                .until(
                        () -> withChannel(channel -> channel.basicGet(topology.deadQueue("default"), true)),
                        got -> got != null);
    }

    /** Stops all workers; then the number of messages that are left in the task queue. */
    int leftAfterStop() throws IOException {
        stopWorkers();
        return withChannel(channel ->
                channel.queueDeclarePassive(topology.taskQueue("default")).getMessageCount());
    }

    private void stopWorkers() {
        workers.parallelStream().forEach(Worker::close);
        workers.clear();
    }

    interface ChannelWork<T> {
        T run(Channel channel) throws IOException;
    }

    <T> T withChannel(ChannelWork<T> work) throws IOException {
        Connection connection = Brokers.connect(broker, "rig");
        try {
            return work.run(connection.createChannel());
        } finally {
            connection.abort(1_000);
        }
    }

    @Override
    public void close() {
        stopWorkers();
        publisher.close();
        ledger.close();
        TestServices.deleteVhost(vhost);
    }
}
