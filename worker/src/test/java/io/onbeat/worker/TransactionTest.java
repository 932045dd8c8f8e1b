package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private static final Map<String, String> QUIET = Map.of("ONBEAT_LEASE_RENEW", "10s");
    private final WorkerRig rig = new WorkerRig();

    @BeforeEach
    void businessTable() {
        rig.ledger.execute("create table public.account (points int not null)");
        rig.ledger.execute("insert into public.account values (0)");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theWritesAndTheSuccessAreOne() {
        rig.start(
                "w",
                TestTask.of(
                        "settle",
                        context -> context.transaction(connection -> {
                            addPoint(connection);
                            return Map.of("points", 1);
                        })));

        rig.publish(rig.insert(java.util.List.of(rig.run("settle@1", "settle"))), 3);

        rig.awaitState("settle@1", "succeeded");
        assertThat(points()).isEqualTo(1);
        assertThat(rig.ledger.texts("select result->>'points' from run")).containsExactly("1");
    }

    @Test
    void aFailureRollsTheWritesBackAndIsTriedAgain() {
        rig.start(
                "w",
                TestTask.of(
                        "settle",
                        context -> context.transaction(connection -> {
                            addPoint(connection);
                            if (context.attempt() == 1) {
                                throw new IllegalStateException("too early");
                            }
                            return null;
                        })));

        rig.fire(rig.run("settle@1", "settle"));

        rig.awaitState("settle@1", "succeeded");
        assertThat(points()).isEqualTo(1);
        assertThat(rig.ledger.number("select failures from run")).isEqualTo(1);
    }

    /** The system's own limit is two hours, and for so long the rows that a lost machine had locked would stay locked. */
    @Test
    void theDatabaseNoticesWithinAMinuteThatAWorkersMachineIsGone() {
        rig.start(
                "w",
                TestTask.of(
                        "settle",
                        context -> context.transaction(connection -> {
                            try (Statement statement = connection.createStatement();
                                    ResultSet row = statement.executeQuery("""
                                            select current_setting('tcp_keepalives_idle')::int
                                                   + current_setting('tcp_keepalives_interval')::int
                                                   * current_setting('tcp_keepalives_count')::int""")) {
                                row.next();
                                return Map.of("seconds", row.getInt(1));
                            }
                        })));

        rig.fire(rig.run("settle@1", "settle"));

        rig.awaitState("settle@1", "succeeded");
        assertThat(rig.ledger.number("select (result->>'seconds')::int from run"))
                .isBetween(10L, 60L);
    }

    @Test
    void whoHasLostTheLeaseCommitsNothing() throws Exception {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        Worker worker = rig.start(
                "w",
                QUIET,
                TestTask.of(
                        "settle",
                        context -> context.transaction(connection -> {
                            addPoint(connection);
                            working.countDown();
                            mayCommit.await();
                            return null;
                        })));
        rig.fire(rig.run("settle@1", "settle"));
        working.await();

        rig.ledger.execute("update run set lease_token = gen_random_uuid()");
        mayCommit.countDown();

        await().atMost(WorkerRig.LIMIT).until(() -> worker.counts().lost() == 1);
        assertThat(points()).isZero();
    }

    @Test
    void whatATaskDoesAfterItsCommitDoesNotUndoTheSuccess() {
        rig.start("w", TestTask.of("settle", context -> {
            context.transaction(connection -> addPoint(connection));
            throw new IllegalStateException("the mail could not be sent");
        }));

        try (LogCapture log = new LogCapture()) {
            rig.fire(rig.run("settle@1", "settle"));

            rig.awaitState("settle@1", "succeeded");
            await().atMost(WorkerRig.LIMIT).until(() -> log.text().contains("the mail could not be sent"));
            assertThat(log.text().lines().filter(line -> line.contains("changes nothing")))
                    .singleElement()
                    .asString()
                    .contains(" WARN ", "settle@1 has succeeded");
        }
        assertThat(points()).isEqualTo(1);
    }

    @Test
    void itMayBeCalledOnceAndNotEndedFromWithin() {
        rig.start(
                "w",
                TestTask.of("twice", context -> {
                    try {
                        context.transaction(connection -> {
                            throw new IllegalStateException("first");
                        });
                    } catch (IllegalStateException first) {
                        context.transaction(connection -> addPoint(connection));
                    }
                    return null;
                }),
                TestTask.of(
                        "commit",
                        context -> context.transaction(connection -> {
                            addPoint(connection);
                            connection.commit();
                            return null;
                        })));

        rig.fire(rig.run("twice@1", "twice", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));
        rig.fire(rig.run("commit@1", "commit", "{\"max_attempts\":1}", 1, Duration.ofMinutes(1)));

        rig.awaitState("twice@1", "dead");
        rig.awaitState("commit@1", "dead");
        assertThat(points()).isZero();
        assertThat(rig.ledger.texts("select error_message from run order by key"))
                .containsExactly(
                        "commit is not for the work of a transaction: return to commit, throw to roll back",
                        "transaction may be called once in an attempt");
    }

    @Test
    void aTimeOutCancelsTheStatementThatTheWorkWaitsFor() {
        rig.start(
                "w",
                TestTask.of(
                        "stuck",
                        context -> context.transaction(connection -> {
                            addPoint(connection);
                            try (Statement statement = connection.createStatement()) {
                                return statement.execute("select pg_sleep(600)");
                            }
                        })));

        rig.fire(rig.run("stuck@1", "stuck", "{\"max_attempts\":1}", 1, Duration.ofMillis(300)));

        rig.awaitState("stuck@1", "dead");
        assertThat(rig.ledger.texts("select outcome from attempt")).containsExactly("timed_out");
        assertThat(points()).isZero();
    }

    @Test
    void aCancelledStatementThatTheWorkGetsOverDoesNotSpoilTheReturn() {
        CountDownLatch returned = new CountDownLatch(1);
        rig.start("w", TestTask.of("tough", context -> {
            Integer points = context.transaction(connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(
                            "do $$ begin perform pg_sleep(600); exception when query_canceled then null; end $$");
                }
                return addPoint(connection);
            });
            returned.countDown();
            return points;
        }));

        rig.fire(rig.run("tough@1", "tough", "{\"max_attempts\":1}", 1, Duration.ofSeconds(5)));

        rig.awaitState("tough@1", "succeeded");
        await().atMost(WorkerRig.LIMIT).until(() -> returned.getCount() == 0);
        assertThat(points()).isEqualTo(1);
    }

    private long points() {
        return rig.ledger.number("select points from public.account");
    }

    private static Integer addPoint(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("update account set points = points + 1");
        }
    }
}
