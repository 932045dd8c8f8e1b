package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import io.onbeat.beat.fire.RunNow;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers and beats that are killed, frozen and stopped, beside a busy queue one of whose messages is gone. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
@Order(2)
class WorkerFaultsTest {
    private static final int RESTARTS = 4;
    private static final int PREFETCHED = 10;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private static final Map<String, Node> beats = new HashMap<>();
    private static String gone;
    private static String healthy;

    private final Books books = cluster.books();

    /** What the last two tests look for takes its time: it goes on beside the others. */
    @BeforeAll
    static void start() throws IOException, SQLException {
        cluster.schedules("""
                schedules:
                  busy: {every: 1s, task: record, args: {millis: 20}, queue: busy, overlap: allow, misfire_grace: 1h}
                  healthy: {at: "2040-01-01T00:00:00Z", task: record, args: {millis: 20000}, queue: healthy}
                  frozen: {at: "2040-01-01T00:00:00Z", task: record-once, args: {millis: 8000}, queue: frozen}
                  doomed:
                    {at: "2040-01-01T00:00:00Z", task: record, args: {millis: 600000}, queue: doomed, timeout: 1h,
                     retry: {max_attempts: 3, delays: [1s]}}
                  held: {at: "2040-01-01T00:00:00Z", task: while-held, queue: held, overlap: allow, timeout: 1h}
                """);
        List.of(cluster.startBeat(), cluster.startBeat()).forEach(beat -> beats.put(beat.name(), beat));
        Books books = cluster.books();
        books.await(LIMIT, "select count(*) = 5 from schedule");
        try (Amqp amqp = new Amqp(cluster.servers())) {
            books.await(LIMIT, "select count(*) >= 5 from run where schedule = 'busy'");
            await().atMost(LIMIT).until(() -> cluster.console().depth("onbeat.task.busy") >= 5);
            GetResponse message = amqp.take("onbeat.task.busy").orElseThrow();
            gone = message.getProps().getMessageId();
        }
        healthy = trigger("healthy", "only");
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "busy:4,healthy:1"));
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "busy:4,healthy:1"));
    }

    private static String trigger(String schedule, String id) throws SQLException {
        RunNow.Outcome outcome =
                new RunNow(cluster.books().ledger()).trigger(schedule, Optional.empty(), Optional.of(id), "test");
        assertThat(outcome).isInstanceOf(RunNow.Outcome.Queued.class);
        return cluster.books().text("select key from run where schedule = ? order by id desc limit 1", schedule);
    }

    @Test
    @Order(1)
    void b29_theCompletionOfAWorkerThatWasFrozenPastItsLeaseIsRefused() throws SQLException {
        Node first = cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen:1"));
        first.awaitLog("consuming onbeat.task.frozen");
        String key = trigger("frozen", "only");
        books.await(LIMIT, "select state = 'running' from run where key = ?", key);
        Frozen frozen = Frozen.of(first);
        Node second = cluster.startWorker(Map.of("ONBEAT_QUEUES", "frozen:1"));
        books.await(LIMIT, "select state = 'succeeded' from run where key = ?", key);
        frozen.close();

        books.await(LIMIT, "select lost = 1 from worker where id = ?", first.name());
        assertThat(books.text("select attempt || ' ' || lease_owner from run where key = ?", key))
                .isEqualTo("2 " + second.name());
        assertThat(books.texts("select attempt from verify.effect where run_key = ?", key))
                .containsExactly("2");
        assertThat(books.texts(
                        "select attempt.attempt || ' ' || outcome || ' ' || worker from attempt"
                                + " join run on run.id = run_id where key = ?",
                        key))
                .containsExactly("1 lost " + first.name());
        assertThat(first.isAlive()).isTrue();
        first.kill9();
        second.kill9();
    }

    @Test
    @Order(2)
    void b15_aBeatThatWasFrozenPastItsLeaseStepsDownAndFiresNothingTwice() {
        books.await(LIMIT, "select lease_until > clock() from leader");
        Node leader = beats.get(books.text("select owner from leader"));
        int stepsDown = leader.logLines("standing by").size();
        Frozen frozen = Frozen.of(leader);
        books.await(LIMIT, "select owner <> ? and lease_until > clock() from leader", leader.name());
        String last = books.text("select max(fire_at) from run where schedule = 'busy'");
        books.await(
                LIMIT, "select max(fire_at) > ?::timestamptz + interval '2 s' from run where schedule = 'busy'", last);
        frozen.close();

        await().atMost(LIMIT).until(() -> leader.logLines("standing by").size() > stepsDown);
        assertThat(leader.isAlive()).isTrue();
        assertThat(books.number("""
                select count(*) - 1 - extract(epoch from max(fire_at) - min(fire_at))::int from run where schedule = 'busy'""")).as("fires without a run").isZero();
        assertThat(books.number("select count(*) from skip")).isZero();
    }

    @Test
    @Order(3)
    void b28_aRunWhoseWorkerIsKilledOnEveryAttemptStartsThreeTimesAndIsDead() throws SQLException {
        String key = trigger("doomed", "only");
        for (int attempt = 1; attempt <= 3; attempt++) {
            Node victim = cluster.startWorker(Map.of("ONBEAT_QUEUES", "doomed:1"));
            books.await(LIMIT, "select count(*) = ? from verify.execution where run_key = ?", attempt, key);
            victim.kill9();
        }

        books.await(LIMIT, "select state = 'dead' from run where key = ?", key);
        cluster.console().awaitDepth("onbeat.dead.doomed", 1);
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "doomed:1"));
        cluster.console().awaitDepth("onbeat.task.doomed", 0);
        assertThat(books.texts("select outcome from attempt join run on run.id = run_id where key = ?", key))
                .containsExactly("lost", "lost", "lost");
        assertThat(books.number("select count(*) from verify.execution where run_key = ?", key))
                .isEqualTo(3);
    }

    @SuppressWarnings("try") // the lock is there to be held
    @Test
    @Order(4)
    void b32_workersWhoseTaskIgnoresItsInterruptEndInTimeAndWhatTheyHadPrefetchedIsNotDead() throws Exception {
        try (Amqp amqp = new Amqp(cluster.servers());
                Hold hold = Hold.tasks(cluster.servers().database())) {
            for (int run = 0; run < PREFETCHED; run++) {
                trigger("held", "run-" + run);
            }
            for (int restart = 1; restart <= RESTARTS; restart++) {
                Node worker = cluster.startWorker(
                        Map.of("ONBEAT_QUEUES", "held:1", "ONBEAT_PREFETCH", "100", "ONBEAT_DRAIN", "0s"));
                books.await(
                        LIMIT,
                        "select count(*) = 1 from run where schedule = 'held' and lease_owner = ? and state = 'running'",
                        worker.name());
                await().atMost(LIMIT).until(() -> amqp.ready("onbeat.task.held") == 0);
                worker.sigterm();
                assertThat(worker.awaitExit(LIMIT)).isZero();
                books.await(
                        LIMIT, "select count(*) = ? from run where schedule = 'held' and state = 'queued'", PREFETCHED);
            }
        }
        assertThat(amqpReady("onbeat.dead.held")).isZero();
        cluster.startWorker(Map.of("ONBEAT_QUEUES", "held:4"));
        books.await(LIMIT, "select count(*) = ? from run where schedule = 'held' and state = 'succeeded'", PREFETCHED);
        assertThat(books.number("select sum(attempt) from run where schedule = 'held'"))
                .as("starts")
                .isEqualTo(PREFETCHED + RESTARTS);
        assertThat(books.number("select sum(failures) from run where schedule = 'held'"))
                .isZero();
        assertThat(amqpReady("onbeat.dead.held")).isZero();
    }

    private static long amqpReady(String queue) throws IOException {
        try (Amqp amqp = new Amqp(cluster.servers())) {
            return amqp.ready(queue);
        }
    }

    @Test
    @Order(5)
    void b30_aHealthyRunFarBeyondTheLeaseIsNotStartedASecondTime() {
        books.await(LIMIT, "select state = 'succeeded' from run where key = ?", healthy);
        assertThat(books.text("select attempt || ' ' || failures from run where key = ?", healthy))
                .isEqualTo("1 0");
        assertThat(books.number("select count(*) from verify.execution where run_key = ?", healthy))
                .isEqualTo(1);
    }

    @Test
    @Order(6)
    void aRunWhoseMessageIsGoneFromABusyQueueSucceedsWithinTwoMinutes() {
        books.await(LIMIT, "select state = 'succeeded' from run where key = ?", gone);
        double seconds = Double.parseDouble(
                books.text("select extract(epoch from finished_at - queued_at) from run where key = ?", gone));
        System.out.printf(Locale.ROOT, "a message gone from a busy queue: its run succeeded after %.0f s%n", seconds);
        assertThat(seconds).isLessThan(120);
        assertThat(books.number("select count(*) from verify.execution where run_key = ?", gone))
                .isEqualTo(1);
    }
}
