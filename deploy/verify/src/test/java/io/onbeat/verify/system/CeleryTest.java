package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.onbeat.local.DebianPackages;
import io.onbeat.local.GuardedProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Onbeat fires, and Debian's Celery works: what is handed over is run as it was told, and a duplicate is run once. */
class CeleryTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String QUEUE = "celery";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    @BeforeAll
    static void start() throws Exception {
        DebianPackages.install("python3-celery", "python3-psycopg2");
        // as Celery's worker declares it; here before the worker is there, so that the message can be looked at
        withChannel(channel -> channel.queueDeclare(QUEUE, true, false, false, null));
        cluster.schedules("""
                defaults: {retry: {max_attempts: 1}}
                schedules:
                  settle:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: celery
                    args: {task: shop.settle, args: [null, "", %s], kwargs: {odd: %s}, expires: 1h}
                  nowhere:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: celery
                    args: {task: shop.settle, queue: no-such-queue}
                  no-exchange:
                    cron: "* * * * * ?"
                    unique_by: day
                    task: celery
                    args: {task: shop.settle, exchange: no-such-exchange}
                  wrong: {cron: "* * * * * ?", unique_by: day, task: celery, args: {tsak: shop.settle}}
                """.formatted(odd(), odd()));
        cluster.startBeat();
        cluster.startWorker();
    }

    private static String odd() {
        return ProgramsTest.ODD.replace("\n", " ");
    }

    @Test
    void what_is_handed_over_is_run_as_told_and_a_duplicate_once() throws Exception {
        cluster.books().await(LIMIT, "select count(*) > 0 from run where schedule = 'settle' and state = 'succeeded'");
        String key = cluster.books().text("select key from run where schedule = 'settle' order by id limit 1");
        String id = cluster.books().text("select result->>'id' from run where key = ?", key);
        assertThat(UUID.fromString(id).version()).isEqualTo(5);
        withChannel(channel -> {
            GetResponse first = channel.basicGet(QUEUE, false);
            assertThat(first.getProps().getHeaders()).containsEntry("onbeat_attempt", 1);
            for (int copies = 0; copies < 2; copies++) {
                channel.basicPublish("", QUEUE, first.getProps(), first.getBody());
            }
            channel.basicNack(first.getEnvelope().getDeliveryTag(), false, true);
            return first;
        });

        Path settled = cluster.folder().resolve("settled.jsonl");
        GuardedProcess celery = celery(settled);
        try {
            Path log = cluster.folder().resolve("celery.log");
            await().atMost(LIMIT)
                    .until(() ->
                            Files.readString(log).split("Task shop.settle\\[" + id + "] succeeded", -1).length == 4);
            List<String> lines = Files.readAllLines(settled);
            assertThat(lines).hasSize(1);
            JsonNode told = new ObjectMapper().readTree(lines.get(0));
            JsonNode odd = new ObjectMapper().readTree(odd());
            assertThat(told.get("run_key").asText()).isEqualTo(key);
            assertThat(told.get("args").get(0).isNull()).isTrue();
            assertThat(told.get("args").get(1).asText()).isEmpty();
            assertThat(told.get("args").get(2)).isEqualTo(odd);
            assertThat(told.at("/kwargs/odd")).isEqualTo(odd);
            assertThat(cluster.books().texts("select key || ' ' || run_key || ' ' || starts from once"))
                    .containsExactly("celery:" + id + " " + key + " 1");
        } finally {
            celery.stop();
        }
    }

    @Test
    void what_no_queue_takes_is_a_failure_that_says_so() {
        assertThat(error("nowhere"))
                .contains("no queue takes it: NO_ROUTE, queue no-such-queue; a Celery worker makes its queue");
        assertThat(error("no-exchange")).contains("no exchange 'no-such-exchange'");
        assertThat(error("wrong"))
                .contains("celery: unknown argument \"tsak\"; it takes task, args, kwargs, queue, exchange");
    }

    private static String error(String schedule) {
        cluster.books().await(LIMIT, "select count(*) > 0 from run where schedule = ? and state = 'dead'", schedule);
        return cluster.books().text("select error_message from run where schedule = ? order by id limit 1", schedule);
    }

    private static GuardedProcess celery(Path settled) {
        Map<String, String> environment = Processes.environment(cluster.settings());
        environment.put("CELERY_BROKER_URL", cluster.servers().vhost().amqpUrl());
        environment.put("SHOP_LEDGER", settled.toString());
        environment.put(
                "PYTHONPATH", Processes.root().resolve("deploy/examples/python").toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        return GuardedProcess.start(new GuardedProcess.Spec(
                "celery",
                List.of(
                        // Debian's own: another Python on the PATH lacks Debian's packages
                        "/usr/bin/python3",
                        "-m",
                        "celery",
                        "-A",
                        "shop_tasks",
                        "worker",
                        "--concurrency",
                        "1",
                        "--loglevel",
                        "INFO"),
                environment,
                cluster.folder().resolve("celery.log"),
                cluster.folder().resolve("celery.pid"),
                "TERM",
                Duration.ofSeconds(20)));
    }

    private interface ChannelWork<T> {
        T run(Channel channel) throws Exception;
    }

    private static <T> T withChannel(ChannelWork<T> work) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(cluster.servers().vhost().amqpUrl());
        try (Connection connection = factory.newConnection("test")) {
            return work.run(connection.createChannel());
        }
    }
}
