package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Sql;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.TestServices;
import io.onbeat.message.TaskMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerLossTest {
    private final WorkerRig rig = new WorkerRig();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger executions = new AtomicInteger();
    private final TestTask task = TestTask.of("work", context -> {
        executions.incrementAndGet();
        started.countDown();
        mayEnd.await();
        return "done";
    });

    @AfterEach
    void close() {
        mayEnd.countDown();
        rig.close();
    }

    @Test
    void b23_aConnectionThatIsCutInTheMiddleOfATaskLeavesOneSuccess() throws Exception {
        Worker worker = rig.start("w", task);
        rig.fire(rig.run("work@1", "work"));
        started.await();

        await().atMost(WorkerRig.LIMIT).until(this::cutConnections);

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().duplicates() == 1);
        mayEnd.countDown();
        rig.awaitState("work@1", "succeeded");
        assertThat(executions).hasValue(1);
        assertThat(worker.counts().lost()).isZero();
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void b25_anAcknowledgementWithATagOfTheLostChannelAcknowledgesNothingElse() throws Exception {
        CountDownLatch mayEndToo = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(5);
        Worker worker = rig.start("w", task, TestTask.of("quick", context -> null), TestTask.of("other", context -> {
            others.countDown();
            mayEndToo.await();
            return "done";
        }));
        for (int i = 1; i <= 5; i++) {
            rig.fire(rig.run("quick@" + i, "quick"));
            rig.awaitState("quick@" + i, "succeeded");
        }
        // its message has the sixth tag of this channel; of the next channel, it has the first
        rig.fire(rig.run("work@1", "work"));
        started.await();
        await().atMost(WorkerRig.LIMIT).until(this::cutConnections);
        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().duplicates() == 1);
        for (int i = 2; i <= 6; i++) {
            rig.fire(rig.run("other@" + i, "other"));
        }
        others.await();

        mayEnd.countDown();

        rig.awaitState("work@1", "succeeded");
        rig.fire(rig.run("quick@7", "quick"));
        rig.awaitState("quick@7", "succeeded");
        awaitUnacknowledged(5);
        assertThat(worker.health().healthy()).as("its channel lives").isTrue();
        mayEndToo.countDown();
        rig.awaitState("other@6", "succeeded");
        assertThat(worker.counts().duplicates()).isEqualTo(1);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void whatCameOverALostConnectionIsKeptNoLongerThanUntilItComesAgain() throws Exception {
        Worker worker = rig.start("w", Map.of("ONBEAT_QUEUES", "default:1"), task);
        rig.fire(rig.run("work@1", "work"));
        started.await();
        List<TaskMessage> waiting = rig.insert(IntStream.rangeClosed(2, 11)
                .mapToObj(i -> rig.run("work@" + i, "work"))
                .toList());
        rig.publish(waiting, 1);
        for (int time = 0; time < 3; time++) {
            awaitUnacknowledged(11);
            Set<String> before = connections();
            await().atMost(WorkerRig.LIMIT).until(this::cutConnections);
            await().atMost(WorkerRig.LIMIT).until(() -> {
                Set<String> after = connections();
                return !after.isEmpty() && after.stream().noneMatch(before::contains);
            });
        }
        awaitUnacknowledged(11);

        mayEnd.countDown();

        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from run where state = 'succeeded'") == 11);
        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().duplicates() == 1);
        assertThat(executions).hasValue(11);
        assertThat(rig.leftAfterStop()).isZero();
    }

    private void awaitUnacknowledged(int messages) {
        await().atMost(WorkerRig.LIMIT)
                .until(() -> TestServices.management()
                        .get("/api/queues/" + rig.vhost.name() + "/onbeat.task.default")
                        .contains("\"messages_unacknowledged\":" + messages + ","));
    }

    @Test
    void aQueueThatWasDeletedIsDeclaredAnew() throws Exception {
        Worker worker = rig.start("w", task);
        await().atMost(WorkerRig.LIMIT).until(() -> worker.health().healthy());

        rig.withChannel(channel -> channel.queueDelete("onbeat.task.default"));

        mayEnd.countDown();
        // as long as it is not there the broker refuses the question
        await().atMost(WorkerRig.LIMIT)
                .ignoreExceptions()
                .until(() -> rig.withChannel(channel ->
                        channel.getConnection().createChannel().queueDeclarePassive("onbeat.task.default") != null));
        rig.fire(rig.run("work@1", "work"));
        rig.awaitState("work@1", "succeeded");
    }

    @Test
    void aBrokerThatRefusesThePasswordIsNamedWithoutIt() {
        String url = rig.vhost.amqpUrl().replaceFirst("://[^@]*@", "://nobody:hush@");

        Worker worker = rig.start("w", Map.of(ServerSettings.AMQP_URL, url), task);

        await().atMost(WorkerRig.LIMIT)
                .until(() -> worker.health().problems().toString(), problems -> problems.contains("user nobody"));
        assertThat(worker.health().problems().toString())
                .contains("it refused the user or the password")
                .doesNotContain("hush");
    }

    @Test
    void aDatabaseThatRefusesThePasswordIsNamedWithoutIt() {
        Worker worker = rig.start("w", Map.of(ServerSettings.DATABASE_PASSWORD, "hush"), task);

        await().atMost(WorkerRig.LIMIT)
                .until(() -> worker.health().problems().toString(), problems -> problems.contains("authentication"));
        assertThat(worker.health().problems().toString())
                .contains(rig.ledger.settings().url())
                .doesNotContain("hush");
    }

    @Test
    void aLedgerThatIsAwayForAWhileLosesNothing() throws Exception {
        Worker worker = rig.start("w", task);
        List<TaskMessage> messages = rig.insert(List.of(rig.run("work@1", "work"), rig.run("work@2", "work")));
        rig.publish(messages.subList(0, 1), 1);
        started.await();

        rig.ledger.execute("alter table run rename to gone");
        mayEnd.countDown();
        rig.publish(messages.subList(1, 2), 1);
        await().atMost(WorkerRig.LIMIT).until(() -> !worker.health().healthy());
        rig.ledger.execute("alter table gone rename to run");

        rig.awaitState("work@1", "succeeded");
        rig.awaitState("work@2", "succeeded");
        await().atMost(WorkerRig.LIMIT).until(() -> worker.health().healthy());
        assertThat(executions).hasValue(2);
        assertThat(rig.ledger.number("select sum(attempt) from run")).isEqualTo(2);
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void aClaimAndASettleWhoseConnectionBreaksAreRepeatedUnderTheSameToken() throws Exception {
        Worker worker = rig.start("w", Map.of("ONBEAT_LEASE_RENEW", "10s"), task);
        TaskMessage message = rig.insert(List.of(rig.run("work@1", "work"))).get(0);
        try (Connection other = rig.ledger.ledger().connection()) {
            other.setAutoCommit(false);
            lockRun(other);
            rig.publish(List.of(message), 1);
            breakWhoWaits();
            other.commit();

            started.await();
            lockRun(other);
            mayEnd.countDown();
            breakWhoWaits();
            other.commit();
        }

        rig.awaitState("work@1", "succeeded");
        assertThat(executions).hasValue(1);
        assertThat(rig.ledger.number("select attempt from run")).isEqualTo(1);
        assertThat(worker.counts().lost()).isZero();
        assertThat(rig.leftAfterStop()).isZero();
    }

    @Test
    void whoCannotRenewInTimeStopsItsTaskAndDiscardsTheOutcome() throws Exception {
        Map<String, String> shortLease = Map.of("ONBEAT_LEASE", "1s", "ONBEAT_LEASE_RENEW", "200ms");
        Worker worker = rig.start("w", shortLease, task);
        rig.fire(rig.run("work@1", "work"));
        started.await();

        rig.ledger.execute("alter table run rename to gone");

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().lost() == 1);
        rig.ledger.execute("alter table gone rename to run");
        assertThat(rig.state("work@1")).isEqualTo("running");
        assertThat(rig.leftAfterStop()).isZero();
    }

    private static void lockRun(Connection connection) throws SQLException {
        Sql.list(connection, "select id from run for update", row -> row.getLong(1));
    }

    /** Ends the database session that waits for a lock. */
    private void breakWhoWaits() {
        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(pg_terminate_backend(pid)) from pg_stat_activity"
                                + " where wait_event_type = 'Lock' and datname = current_database()")
                        > 0);
    }

    /** Closes all connections of the virtual host; false while the broker lists none yet. */
    private boolean cutConnections() {
        Set<String> names = connections();
        names.forEach(name -> TestServices.management().delete("/api/connections/" + ManagementApi.encode(name)));
        return !names.isEmpty();
    }

    /** None while the worker's consuming one is not among them. */
    private Set<String> connections() {
        String all = TestServices.management().get("/api/vhosts/" + rig.vhost.name() + "/connections");
        return Pattern.compile("\"name\":\"([^\"]* -> [^\"]*)\"")
                .matcher(all)
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(name -> all.contains("consuming"))
                .collect(Collectors.toSet());
    }
}
