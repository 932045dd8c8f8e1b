package io.onbeat.task.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.RetryLater;
import io.onbeat.task.Rows;
import io.onbeat.task.Skipped;
import io.onbeat.task.Step;
import io.onbeat.task.Task;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class TaskTestTest {
    private static final PGSimpleDataSource SOURCE = new PGSimpleDataSource();
    private static Database database;

    private interface Code {
        Object run(TaskContext context) throws Exception;
    }

    private record Settle(Code code) implements Task {
        @Override
        public String name() {
            return "settle";
        }

        @Override
        public Object run(TaskContext context) throws Exception {
            return code.run(context);
        }
    }

    private record Limits(int batch, String token) {
        Limits {
            if (batch < 1) {
                throw new IllegalArgumentException("batch must be at least 1, not " + batch);
            }
        }
    }

    @BeforeAll
    static void create() {
        database = TestServices.freshDatabase();
        SOURCE.setUrl(database.jdbcUrl());
        SOURCE.setUser(database.user());
        SOURCE.setPassword(database.password());
    }

    @AfterAll
    static void drop() {
        TestServices.dropDatabase(database);
    }

    @BeforeEach
    void empty() throws SQLException {
        try (Connection connection = SOURCE.getConnection()) {
            write(connection, "drop table if exists note; create table note (id int, status text)");
        }
    }

    private static TaskTest settle(Code code) {
        return TaskTest.of(new Settle(code)).ledger(SOURCE);
    }

    private static void write(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int notes() throws SQLException {
        try (Connection connection = SOURCE.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from note")) {
            result.next();
            return result.getInt(1);
        }
    }

    @Test
    void aTaskIsToldWhatTheTestSays() {
        JsonNode told = settle(context -> Map.of(
                        "key", context.runKey(),
                        "at", context.fireTime(),
                        "attempt", context.attempt() + "/" + context.maxAttempts(),
                        "batch", context.args(Limits.class).batch(),
                        "token", context.args(Limits.class).token(),
                        "schedule", context.schedule()))
                .args("{\"batch\": 500, \"token\": \"${env:TOKEN}\"}")
                .environment(Map.of("TOKEN", "s3cret"))
                .schedule("nightly")
                .fireTime(Instant.parse("2026-07-14T02:00:00Z"))
                .attempt(3)
                .maxAttempts(5)
                .run()
                .result();
        assertThat(told.path("key").asText()).isEqualTo("nightly@2026-07-14T02:00:00Z");
        assertThat(told.path("at").asText()).isEqualTo("2026-07-14T02:00:00Z");
        assertThat(told.path("attempt").asText()).isEqualTo("3/5");
        assertThat(told.path("batch").asInt()).isEqualTo(500);
        assertThat(told.path("token").asText()).as("as the ledger keeps it").isEqualTo("***");
        assertThat(told.path("schedule").asText()).isEqualTo("nightly");
    }

    @Test
    void theOutcomeIsTheOneThatAWorkerWouldSettle() {
        assertThat(settle(context -> null).run().result(Integer.class)).isNull();
        assertThat(settle(context -> 7).run().result(Integer.class)).isEqualTo(7);
        assertThat(settle(context -> {
                            throw new Skipped("nothing to do");
                        })
                        .run())
                .isEqualTo(new TaskOutcome.Skipped("nothing to do"));
        assertThat(settle(context -> {
                            throw new RetryLater(Duration.ofSeconds(37));
                        })
                        .run())
                .isInstanceOfSatisfying(
                        TaskOutcome.RetryLater.class,
                        later -> assertThat(later.delay()).isEqualTo(Duration.ofSeconds(37)));
        assertThat(settle(context -> context.args(Limits.class))
                        .args("{\"batch\": 1, \"bacth\": 2}")
                        .run())
                .isInstanceOfSatisfying(
                        TaskOutcome.FailedForGood.class,
                        dead -> assertThat(dead.failure())
                                .hasMessageStartingWith("its args do not fit Limits: 'bacth' is none of ["));
        assertThat(settle(context -> context.args(Limits.class))
                        .args("{\"batch\": 0}")
                        .run()
                        .thrown())
                .as("a check of the record's own")
                .isInstanceOf(PermanentFailure.class)
                .hasMessage("its args do not fit Limits: batch must be at least 1, not 0");
        assertThat(settle(context -> "x".repeat(70_000)).run()).isInstanceOf(TaskOutcome.FailedForGood.class);
        TaskOutcome failed = settle(context -> {
                    throw new IllegalStateException("no stock");
                })
                .run();
        assertThat(failed.thrown()).hasMessage("no stock");
        assertThatThrownBy(failed::result)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no stock")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAssertionOfTheTestIsNoFailureOfTheTask() {
        TaskTest test = settle(context -> {
            throw new AssertionError("the test's own");
        });
        assertThatThrownBy(test::run).isInstanceOf(AssertionError.class).hasMessage("the test's own");
    }

    @Test
    void aTransactionCommitsAndSettlesOrDoesNeither() throws SQLException {
        TaskTest broken = settle(context -> context.transaction(connection -> {
            write(connection, "insert into note values (1, 'new')");
            throw new IllegalStateException("in the middle");
        }));
        assertThat(broken.run().thrown()).hasMessage("in the middle");
        assertThat(notes()).isZero();
        TaskTest settled = settle(context -> {
            context.transaction(connection -> {
                write(connection, "insert into note values (1, 'new')");
                return "kept";
            });
            throw new IllegalStateException("too late to matter");
        });
        assertThat(settled.run().result(String.class)).isEqualTo("kept");
        assertThat(notes()).isEqualTo(1);
        assertThat(settle(context -> context.transaction(connection -> {
                            connection.commit();
                            return 1;
                        }))
                        .run()
                        .thrown())
                .hasMessageContaining("commit is not for the work of a transaction");
    }

    @Test
    void aFinishedStepIsNotDoneAgainByTheNextAttempt() {
        AtomicInteger charges = new AtomicInteger();
        TaskTest test = settle(context -> {
            int receipt = context.once(Step.ofRun("charge"), Integer.class, start -> {
                if (charges.incrementAndGet() == 1) {
                    throw new IllegalStateException("cut off");
                }
                return 100 * start;
            });
            if (context.attempt() == 2) {
                throw new IllegalStateException("after the step");
            }
            return receipt;
        });
        assertThat(test.run().thrown()).hasMessage("cut off");
        assertThat(test.attempt(2).run().thrown()).hasMessage("after the step");
        assertThat(test.attempt(3).run().result(Integer.class)).isEqualTo(200);
        assertThat(charges).hasValue(2);
        assertThat(test.runKey("another").run().result(Integer.class)).isEqualTo(100);
    }

    @Test
    void aStepOfATransactionIsUndoneWithIt() throws SQLException {
        Step step = Step.ofTask("invoice-4711");
        TaskTest test = settle(context -> context.transaction(connection -> {
            String made = context.once(connection, step, String.class, same -> {
                write(same, "insert into note values (1, 'new')");
                return "made by attempt " + context.attempt();
            });
            if (context.attempt() == 1) {
                throw new IllegalStateException("undone");
            }
            return made;
        }));
        assertThat(test.run().thrown()).hasMessage("undone");
        assertThat(test.attempt(2).run().result(String.class)).isEqualTo("made by attempt 2");
        assertThat(test.runKey("another").attempt(2).run().result(String.class)).isEqualTo("made by attempt 2");
        assertThat(notes()).isEqualTo(1);
    }

    @Test
    void rowsThatFailedAreTriedAgainUntilTheyHaveFailedTooOften() throws SQLException {
        try (Connection connection = SOURCE.getConnection()) {
            write(connection, "insert into note select n, 'new' from generate_series(1, 10) n");
        }
        TaskTest test = settle(context ->
                context.claimRows(Rows.of("note", "new", "done").batch(3).maxFailures(2), (connection, row) -> {
                    if (row.key().equals("5")) {
                        throw new IllegalStateException("no stock");
                    }
                }));
        assertThat(List.of(
                        test.run().result().toString(),
                        test.run().result().toString(),
                        test.run().result().toString()))
                .containsExactly(
                        "{\"done\":9,\"failed\":1,\"givenUp\":0,\"passedOver\":0,\"firstFailure\":\"id 5: no stock\"}",
                        "{\"done\":0,\"failed\":1,\"givenUp\":1,\"passedOver\":0,\"firstFailure\":\"id 5: no stock\"}",
                        "{\"done\":0,\"failed\":0,\"givenUp\":0,\"passedOver\":1,\"firstFailure\":\"\"}");
    }

    @Test
    void aLockHasOneHolderAndEndsWithTheAttempt() {
        TaskTest test = settle(context -> context.lock("stock").lockOrSkip().token());
        long first = test.run().result(Long.class);
        try (var held = test.lockedByAnother("stock")) {
            assertThat(held.token()).isGreaterThan(first);
            assertThat(test.run()).isEqualTo(new TaskOutcome.Skipped("lock stock is held by another run"));
        }
        assertThat(test.run().result(Long.class)).isGreaterThan(first + 1);
    }

    @Test
    void anAttemptThatIsStoppedIsInterrupted() {
        TaskTest test = settle(context -> {
            if (context.stopping()) {
                throw new InterruptedException("stopped");
            }
            return null;
        });
        assertThat(test.stopping().run().thrown()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        test.run().result();
    }

    @Test
    void saysWhatTheTestLacks() {
        assertThat(TaskTest.of(new Settle(context -> context.dataSource("shop")))
                        .run()
                        .thrown())
                .isInstanceOf(PermanentFailure.class)
                .hasMessage("this test has no data source 'shop'; it has []: give it one with"
                        + " TaskTest.dataSource(\"shop\", …)");
    }
}
