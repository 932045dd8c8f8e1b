package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.DeliverCallback;
import com.sun.net.httpserver.HttpServer;
import io.onbeat.beat.fire.RunNow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker that stops, restarts, runs short of memory or loses all it holds, and a ledger that is away for a while. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
@Order(1)
class ServerFaultsTest {
    private static final Pattern PAGE = Pattern.compile("the page is at (http://\\S+)/,");
    private static final Map<String, String> USUAL_LEASE = Map.of("ONBEAT_LEASE", "30s", "ONBEAT_LEASE_RENEW", "2s");
    private static final int QUEUED = 5_000;
    private static final Duration LEDGER_AWAY = Duration.ofSeconds(25);
    private static final int LONG_TASKS = 8;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    static Path data;

    @RegisterExtension
    static final Cluster cluster = new Cluster(() -> new OwnServers(data));

    private static Node beat;
    private static Node worker;

    private final Books books = cluster.books();
    private final OwnServers servers = (OwnServers) cluster.servers();
    private final RabbitControl control = new RabbitControl(data.resolve("rabbitmq"));

    @BeforeAll
    static void start() {
        cluster.schedules("""
                schedules:
                  a: {every: 1s, task: record, args: {millis: 20}, queue: a, overlap: allow, misfire_grace: 1h}
                  b: {every: 1s, task: record, args: {millis: 20}, queue: b, overlap: allow, misfire_grace: 1h}
                  patient: {at: "2040-01-01T00:00:00Z", task: record, args: {millis: 12000}, queue: patient}
                  call: {at: "2040-01-01T00:00:00Z", task: http, queue: call, overlap: allow, timeout: 5m,
                         retry: {max_attempts: 1}}
                """);
        beat = cluster.startBeat(USUAL_LEASE);
        worker = startWorker("a:4,b:4,bulk:2,call:" + LONG_TASKS);
        cluster.books().await(LIMIT, "select count(distinct queue) = 2 from run where state = 'succeeded'");
    }

    private static Node startWorker(String queues) {
        Map<String, String> settings = new HashMap<>(USUAL_LEASE);
        settings.put("ONBEAT_QUEUES", queues);
        return cluster.startWorker(settings);
    }

    @Test
    @Order(1)
    void b20_whatIsFiredWhileTheBrokerIsStoppedStaysInTheOutboxAndIsPublishedOnceItCanBe() {
        servers.rabbit().stop();
        books.await(LIMIT, "select count(*) = 0 from run where state = 'running'");
        long mark = books.number("select max(id) from run");
        books.await(LIMIT, "select count(*) >= 10 from run where id > ?", mark);
        books.await(LIMIT, """
                select count(*) = 0 from run where id > ? and not exists (
                    select from outbox where run.id = any (run_ids))""", mark);
        assertThat(health(beat)).contains("the broker");
        long last = books.number("select max(id) from run");
        servers.rabbit().start();

        books.await(LIMIT, "select count(*) = 0 from run where id <= ? and state <> 'succeeded'", last);
        books.await(LIMIT, "select count(*) = 0 from outbox where try_at < clock() - interval '2 s'");
        everyFireOnce();
    }

    @Test
    @Order(2)
    void b21_aBrokerThatIsRestartedThreeTimesInARowHasAllItsConsumersAgain() {
        control.cutThreeTimes();
        everyQueueFlows();
        // a broker's own start takes longer than a second
        for (int time = 0; time < 3; time++) {
            servers.rabbit().stop();
            servers.rabbit().start();
        }
        everyQueueFlows();
        assertThat(beat.isAlive() && worker.isAlive()).isTrue();
        everyFireOnce();
    }

    private void everyQueueFlows() {
        long mark = books.number("select max(id) from run");
        books.await(LIMIT, """
                select count(distinct queue) = 2 from (
                    select queue from run where id > ? and state = 'succeeded' group by queue having count(*) >= 3) as flowing""", mark);
    }

    @Test
    @Order(3)
    void b26_whileTheBrokerIsShortOfMemoryPublishingWaitsAndThatIsTold() {
        control.memoryAlarm();
        try {
            books.await(
                    "select count(*) >= 8 from run where state = 'queued' and queued_at < clock() - interval '2 s'");
            await().atMost(LIMIT).until(() -> health(beat).contains("memory"));
        } finally {
            control.noMemoryAlarm();
        }
        long last = books.number("select max(id) from run");
        books.await(LIMIT, "select count(*) = 0 from run where id <= ? and state <> 'succeeded'", last);
        await().atMost(LIMIT).until(() -> health(beat).contains("\"healthy\":true"));
        everyFireOnce();
    }

    @Test
    @Order(4)
    void b22_aRunLongerThanTheBrokersAcknowledgementTimeOutIsStartedOnceAndItsChannelLives() throws Exception {
        control.acknowledgementTimeout(4_000);
        CountDownLatch cut = new CountDownLatch(1);
        try (Amqp impatient = new Amqp(servers)) {
            Node patient = cluster.startWorker(Map.of("ONBEAT_QUEUES", "patient:1", "ONBEAT_ACK_HANDOVER", "1s"));
            patient.awaitLog("consuming onbeat.task.patient");
            String key = trigger("patient", Optional.empty(), "only");
            // a consumer without such a hand-over shows that the time-out is in force
            impatient.channel().queueDeclare("unanswered", true, false, false, Map.of("x-queue-type", "quorum"));
            impatient.channel().basicPublish("", "unanswered", null, new byte[] {1});
            impatient.channel().addShutdownListener(cause -> cut.countDown());
            DeliverCallback noAnswer = (tag, message) -> {};
            CancelCallback ignored = tag -> {};
            impatient.channel().basicConsume("unanswered", false, noAnswer, ignored);

            books.await(LIMIT, "select state = 'succeeded' from run where key = ?", key);
            assertThat(cut.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(books.number("select count(*) from verify.execution where run_key = ?", key))
                    .isEqualTo(1);
            assertThat(patient.logLines("consuming onbeat.task.patient")).hasSize(1);
            patient.kill9();
        } finally {
            control.acknowledgementTimeout(1_800_000);
        }
    }

    @Test
    @Order(5)
    void fiveThousandQueuedRunsSucceedOnceAlthoughTheBrokerLosesAllThatItHolds() {
        queueRuns("bulk", QUEUED + 500, 20);
        books.await(LIMIT, "select count(*) >= 100 from run where queue = 'bulk' and state = 'succeeded'");
        servers.rabbit().kill();
        control.deleteData();
        books.await(LIMIT, "select count(*) = 0 from run where queue = 'bulk' and state = 'running'");
        assertThat(books.number("select count(*) from run where queue = 'bulk' and state = 'queued'"))
                .isGreaterThanOrEqualTo(QUEUED);
        servers.rabbit().start();

        books.await(LIMIT.plusMinutes(1), "select count(*) = 0 from run where queue = 'bulk' and state <> 'succeeded'");
        assertThat(books.number("select count(*) from verify.execution where run_key like 'bulk-%'"))
                .isEqualTo(QUEUED + 500);
        assertThat(books.number("select count(distinct run_key) from verify.execution where run_key like 'bulk-%'"))
                .isEqualTo(QUEUED + 500);
        everyFireOnce();
    }

    @Test
    @Order(6)
    void noHealthyRunIsFailedWhileTheLedgerIsAwayForTwentyFiveSeconds() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch mayAnswer = new CountDownLatch(1);
        HttpServer partner = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        ExecutorService threads = Executors.newCachedThreadPool();
        partner.setExecutor(threads);
        partner.createContext("/", exchange -> {
            calls.incrementAndGet();
            try {
                mayAnswer.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        partner.start();
        try {
            String args =
                    "{\"url\": \"http://127.0.0.1:" + partner.getAddress().getPort() + "/\", \"method\": \"POST\"}";
            for (int i = 0; i < LONG_TASKS; i++) {
                trigger("call", Optional.of(args), "call-" + i);
            }
            await().atMost(LIMIT).until(() -> calls.get() == LONG_TASKS);
            // the worst moment: just before the next renewal
            books.await(LIMIT, "select max(lease_until) < clock() + interval '28500 ms' from run where queue = 'call'");
            Duration away = stopLedger();
            mayAnswer.countDown();

            assumeThat(away).as("the restart took its time").isLessThan(LEDGER_AWAY.plusMillis(1_500));
            await().atMost(LIMIT)
                    .ignoreExceptions()
                    .until(() -> books.number("select count(*) from run where queue = 'call' and state = 'succeeded'")
                            == LONG_TASKS);
            assertThat(calls).hasValue(LONG_TASKS);
            assertThat(books.texts("select attempt || ' ' || failures from run where queue = 'call'"))
                    .containsOnly("1 0");
            assertThat(books.number("select sum(lost) from worker")).isZero();
        } finally {
            mayAnswer.countDown();
            partner.stop(0);
            threads.shutdown();
        }
    }

    private Duration stopLedger() {
        long from = System.nanoTime();
        servers.postgres().stop();
        Duration left = LEDGER_AWAY.minusMillis(1_500).minusNanos(System.nanoTime() - from);
        await().pollDelay(left).atMost(left.plusSeconds(10)).until(() -> true);
        servers.postgres().restart();
        return Duration.ofNanos(System.nanoTime() - from);
    }

    private String trigger(String schedule, Optional<String> args, String id) throws SQLException {
        RunNow.Outcome outcome = new RunNow(books.ledger()).trigger(schedule, args, Optional.of(id), "test");
        assertThat(outcome).isInstanceOf(RunNow.Outcome.Queued.class);
        return ((RunNow.Outcome.Queued) outcome).key();
    }

    /** Writes runs, and their messages into the outbox, as a beat or the command line would. */
    private void queueRuns(String queue, int runs, int millis) {
        books.execute("""
                insert into run (key, task, queue, origin, fire_at, args, timeout_ms, max_attempts, state, queued_at)
                select queue || '-' || n, 'record', queue, 'backfill', clock(), json_build_object('millis', ?::int), 60000, 4,
                       'queued', clock()
                from (select ? as queue) as q, generate_series(1, ?) as n""", millis, queue, runs);
        books.execute("""
                insert into outbox (kind, run_ids, try_at)
                select 'task', array_agg(id order by id), clock() from run where queue = ? group by id / 1000 order by 2""", queue);
    }

    private void everyFireOnce() {
        for (String schedule : List.of("a", "b")) {
            assertThat(books.number("""
                    select count(*) - 1 - extract(epoch from max(fire_at) - min(fire_at))::int from run where schedule = ?""", schedule))
                    .as("fires of " + schedule + " without a run")
                    .isZero();
        }
        assertThat(books.number("select count(*) from skip")).isZero();
        assertThat(books.number("select count(*) - count(distinct run_key) from verify.execution"))
                .as("runs that were started twice")
                .isZero();
    }

    private static String health(Node node) {
        Matcher page = PAGE.matcher(node.log());
        assertThat(page.find()).isTrue();
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(page.group(1) + "/health"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException failed) {
            return failed.toString();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }
}
