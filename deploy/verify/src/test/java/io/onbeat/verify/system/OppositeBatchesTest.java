package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Publisher;
import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two workers get the messages of the same runs in opposite order, and claim them as one batch each at the same time. */
class OppositeBatchesTest {
    private static final int RUNS = 20;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final Console console = cluster.console();

    @SuppressWarnings("try") // the locks are there to be held
    @Test
    void neitherWaitsForTheOtherInACircle() throws Exception {
        fire();
        List<String> ids = books.texts("select id from run order by id limit 7");
        send("forward", List.of(ids.get(0), ids.get(2), ids.get(3), ids.get(4), ids.get(5), ids.get(6)));
        send("backward", List.of(ids.get(1), ids.get(6), ids.get(5), ids.get(4), ids.get(3), ids.get(2)));
        Victim forward;
        Victim backward;
        try (Hold middle = Hold.run(cluster.servers().database(), ids.get(4))) {
            try (Hold first = Hold.run(cluster.servers().database(), ids.get(0));
                    Hold second = Hold.run(cluster.servers().database(), ids.get(1))) {
                forward = start("forward");
                backward = start("backward");
                bothWait();
                theWorkerHasAll("forward");
                theWorkerHasAll("backward");
            }
            bothWait();
        }
        books.await("select count(*) = 7 from run where state = 'succeeded'");
        for (Victim worker : List.of(forward, backward)) {
            worker.node().sigterm();
            worker.node().awaitExit(Duration.ofSeconds(60));
            worker.awaitNothingUnderWay(books);
        }
        assertThat(books.number("select deadlocks from pg_stat_database where datname = current_database()"))
                .as("deadlocks that PostgreSQL reports")
                .isZero();
        assertThat(books.texts("select run_key || ' ' || attempt from verify.execution"))
                .hasSize(7)
                .doesNotHaveDuplicates();
        assertThat(books.number("select sum(duplicates) from worker")).isEqualTo(5);
    }

    private void fire() {
        books.setClock(Instant.parse("2026-07-14T00:30:00Z"));
        cluster.schedules("""
                schedules:
                  many: {every: 1h, task: record, queue: nobody, overlap: allow, misfire_grace: 60d}
                """);
        Node beat = cluster.startBeat();
        books.await("select count(*) = 1 from schedule");
        books.turnClock(Duration.ofHours(RUNS));
        books.await("select count(*) = ? from run", RUNS);
        // nothing else is to touch these runs
        beat.sigterm();
        beat.awaitExit(Duration.ofSeconds(60));
    }

    private static Victim start(String queue) {
        Map<String, String> settings =
                Victim.named(queue, cluster, Map.of("ONBEAT_QUEUES", queue + ":8", "ONBEAT_LEASE", "10m"));
        return new Victim(queue, cluster.startWorker(settings));
    }

    private void bothWait() {
        books.await("""
                select count(*) = 2 from pg_locks join pg_stat_activity using (pid)
                where not granted and datname = current_database()""");
    }

    // it takes its messages in their order, and is done with one that nobody can read as soon as it is there
    private void theWorkerHasAll(String queue) {
        console.publish("onbeat.task", queue, Map.of("message_id", "the last"), "{not json");
        console.awaitDepth("onbeat.dead." + queue, 1);
    }

    private void send(String queue, List<String> ids) throws IOException, InterruptedException {
        BrokerSettings broker = ServerSettings.read(Settings.of(Map.of(
                        ServerSettings.AMQP_URL, cluster.servers().vhost().amqpUrl())))
                .broker();
        CountDownLatch confirmed = new CountDownLatch(ids.size());
        try (Publisher publisher = new Publisher(broker, "test")) {
            for (String id : ids) {
                String key = books.text("select key from run where id = ?::bigint", id);
                TaskMessage message = new TaskMessage(
                        new Attempt(Long.parseLong(id), key, 1),
                        Origin.SCHEDULE,
                        Optional.of("many"),
                        "record",
                        queue,
                        Instant.parse(key.substring(key.indexOf('@') + 1)),
                        "{}",
                        Optional.empty());
                publisher.publishTask(queue, MessageCodec.encode(message), new CountConfirms(confirmed));
            }
            assertThat(confirmed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
