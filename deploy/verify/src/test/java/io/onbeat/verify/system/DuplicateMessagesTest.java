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

/** However often a message comes, its run is executed once, and every message too many is counted. */
class DuplicateMessagesTest {
    private static final int RUNS = 1_000;
    private static final int COPIES = 5;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @Test
    void aThousandRunsPublishedFiveTimesAreAThousandExecutionsAndFourThousandDuplicates() throws Exception {
        Instant start = Instant.parse("2026-07-14T00:30:00Z");
        books.setClock(start);
        cluster.schedules("""
                schedules:
                  many: {every: 1h, task: record, overlap: allow, catch_up: all, catch_up_window: 60d, misfire_grace: 60d}
                """);
        cluster.startBeat();
        for (int worker = 0; worker < 3; worker++) {
            cluster.startWorker(Map.of("ONBEAT_QUEUES", "default:16"));
        }
        books.await("select count(*) = 3 from worker where state = 'up'");
        books.await("select count(*) = 1 from schedule");

        books.setClock(start.plus(Duration.ofHours(RUNS)));
        books.await("select count(*) = ? from run", RUNS);
        publishAgain(COPIES - 1);

        books.await("select count(*) = ? from run where state = 'succeeded'", RUNS);
        books.await("select sum(duplicates) = ? from worker", RUNS * (COPIES - 1));
        cluster.console().awaitDepth("onbeat.task.default", 0);
        assertThat(books.number("select count(*) from verify.execution")).isEqualTo(RUNS);
        assertThat(books.number("select count(distinct run_key) from verify.execution"))
                .isEqualTo(RUNS);
        assertThat(books.number("select count(distinct pid) from verify.execution"))
                .as("workers that took part")
                .isEqualTo(3);
        assertThat(books.number("select sum(attempt) from run")).isEqualTo(RUNS);
        assertThat(books.number("select sum(claimed) from worker")).isEqualTo(RUNS);
        assertThat(books.number("select sum(succeeded) from worker")).isEqualTo(RUNS);
        assertThat(books.number("select count(*) from attempt")).isZero();
    }

    private void publishAgain(int times) throws IOException, InterruptedException {
        List<TaskMessage> messages = books.texts("select id || ' ' || key from run order by id").stream()
                .map(DuplicateMessagesTest::firstMessage)
                .toList();
        CountDownLatch confirmed = new CountDownLatch(messages.size() * times);
        try (Publisher publisher = new Publisher(broker(), "again")) {
            for (int time = 0; time < times; time++) {
                for (TaskMessage message : messages) {
                    publisher.publishTask("default", MessageCodec.encode(message), new CountConfirms(confirmed));
                }
            }
            assertThat(confirmed.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static TaskMessage firstMessage(String idAndKey) {
        String[] parts = idAndKey.split(" ");
        Instant fireAt = Instant.parse(parts[1].substring(parts[1].indexOf('@') + 1));
        return new TaskMessage(
                new Attempt(Long.parseLong(parts[0]), parts[1], 1),
                Origin.SCHEDULE,
                Optional.of("many"),
                "record",
                "default",
                fireAt,
                "{}",
                Optional.empty());
    }

    private static BrokerSettings broker() {
        Map<String, String> address =
                Map.of(ServerSettings.AMQP_URL, cluster.servers().vhost().amqpUrl());
        return ServerSettings.read(Settings.of(address)).broker();
    }
}
