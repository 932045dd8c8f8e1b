package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.NewRun;
import io.onbeat.task.Row;
import io.onbeat.task.RowCounts;
import io.onbeat.task.RowWork;
import io.onbeat.task.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClaimRowsTest {
    private static final Rows ORDERS = Rows.of("orders", "new", "reviewed").batch(7);
    private static final RowWork REVIEW = ClaimRowsTest::review;
    private final WorkerRig rig = new WorkerRig();

    @BeforeEach
    void orders() {
        rig.ledger.execute("create type public.order_state as enum ('new', 'reviewed', 'broken')");
        rig.ledger.execute("create table public.orders (id bigint primary key, status public.order_state not null)");
        rig.ledger.execute("create table public.review (order_id bigint not null, run text not null)");
        rig.ledger.execute("insert into public.orders select n, 'new' from generate_series(1, 100) n");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void everyRowIsWorkedOffOnceByRunsSideBySide() {
        rig.start("w", TestTask.of("review", context -> context.claimRows(ORDERS, REVIEW)));

        for (int i = 0; i < 8; i++) {
            rig.fire(rig.run("review@" + i, "review"));
        }

        awaitSucceeded(8);
        assertThat(rig.ledger.texts("select count(*) || ' ' || count(distinct order_id) from public.review"))
                .containsExactly("100 100");
        assertThat(rig.ledger.number("select count(*) from public.orders where status = 'reviewed'"))
                .isEqualTo(100);
        assertThat(rig.ledger.number("select sum((result->>'done')::int) from run"))
                .isEqualTo(100);
    }

    @Test
    void aRowThatFailsHarmsNoOtherAndIsTriedAgainByTheNextAttempt() {
        AtomicInteger attempts = new AtomicInteger();
        rig.start("w", TestTask.of("review", context -> {
            attempts.set(context.attempt());
            RowCounts counts = context.claimRows(ORDERS, (connection, row) -> {
                review(connection, row);
                if (row.key().equals("13") && context.attempt() < 3) {
                    throw new IllegalStateException("no stock");
                }
            });
            if (counts.failed() > 0) {
                throw new IllegalStateException(counts.firstFailure());
            }
            return counts;
        }));

        rig.fire(rig.run("review@1", "review", "{\"max_attempts\":5,\"delays\":[\"1s\"]}", 5, Duration.ofMinutes(5)));

        rig.awaitState("review@1", "succeeded");
        assertThat(attempts).hasValue(3);
        assertThat(rig.ledger.number("select count(*) from public.review where order_id = 13"))
                .isEqualTo(1);
        assertThat(rig.ledger.number("select count(*) from public.review")).isEqualTo(100);
        assertThat(rig.ledger.texts("select error_message from attempt"))
                .containsExactly("id 13: no stock", "id 13: no stock");
        // gone with its success
        assertThat(rig.ledger.number("select count(*) from row_failure")).isZero();
    }

    @Test
    void theBuiltInTaskIsTriedAgainForTheRowsThatFailedAndKeepsNoSecretOfThem() {
        rig.start("w");
        NewRun run = rig.run("review@1", "rows", "{\"max_attempts\":5,\"delays\":[\"1s\"]}", 5, Duration.ofMinutes(5));

        rig.fire(rig.withArgs(run, """
                {"table": "orders", "status": {"from": "new", "to": "reviewed"}, "batch": 7,
                 "sql": ["insert into review values (:id, :run_key)",
                         {"sql": "select case when :id = 13 and :attempt = 1 then (:path || '')::int end",
                          "params": {"path": "${env:PATH}"}}]}"""));

        rig.awaitState("review@1", "succeeded");
        assertThat(rig.ledger.texts("select error_message from attempt"))
                .containsExactly("1 of 100 rows failed, the first: id 13: statement 2 of 2: ERROR: invalid input syntax"
                        + " for type integer: \"***\"");
        assertThat(rig.ledger.texts("select result->>'done' from run")).containsExactly("1");
        assertThat(rig.ledger.texts("select count(*) || ' ' || count(distinct order_id) from public.review"))
                .containsExactly("100 100");
        assertThat(rig.ledger.number("select count(*) from row_failure")).isZero();
    }

    @Test
    void anErrorOfARowIsKeptWithoutSecrets() {
        rig.start(
                "w",
                TestTask.of(
                        "review",
                        context -> context.claimRows(ORDERS.where("id = 1"), (connection, row) -> {
                            throw new IllegalStateException(
                                    "of " + context.args().path("secret").asText());
                        })));

        rig.fire(rig.withArgs(rig.run("review@1", "review"), "{\"secret\": \"${env:PATH}\"}"));

        rig.awaitState("review@1", "succeeded");
        assertThat(rig.ledger.texts("select error from row_failure")).containsExactly("of ***");
    }

    @Test
    void aRowThatFailsTooOftenIsSetAside() {
        rig.start(
                "w",
                TestTask.of(
                        "review",
                        context -> context.claimRows(ORDERS.maxFailures(2).setAside("broken"), (connection, row) -> {
                            if (row.get("id").equals(50L)) {
                                throw new IllegalStateException("never");
                            }
                        })));

        rig.fire(rig.run("review@1", "review"));
        rig.awaitState("review@1", "succeeded");
        assertThat(status(50)).isEqualTo("new");
        rig.fire(rig.run("review@2", "review"));
        rig.awaitState("review@2", "succeeded");

        assertThat(status(50)).isEqualTo("broken");
        assertThat(rig.ledger.texts(
                        "select source || ' ' || row_key || ' ' || failures || ' ' || error from row_failure"))
                .containsExactly("ledger:orders 50 2 never");
    }

    @Test
    void aBatchHoldsNoRowOfTheNextOne() throws Exception {
        CountDownLatch inTheFirst = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        rig.start(
                "w",
                TestTask.of(
                        "review",
                        context -> context.claimRows(ORDERS, (connection, row) -> {
                            if (row.key().equals("3")) {
                                inTheFirst.countDown();
                                goOn.await();
                            }
                        })));
        rig.fire(rig.run("review@1", "review"));
        inTheFirst.await();

        assertThat(rig.ledger
                        .texts("select id from public.orders order by id for update skip locked")
                        .get(0))
                .isEqualTo("8");

        goOn.countDown();
        rig.awaitState("review@1", "succeeded");
    }

    @Test
    void aFailureOfTheDatabaseInsideARowIsThatRowsOwn() {
        rig.start(
                "w",
                TestTask.of(
                        "review",
                        context -> context.claimRows(ORDERS, (connection, row) -> {
                            try (PreparedStatement broken = connection.prepareStatement("select 1 / (? - 20)")) {
                                broken.setLong(1, (Long) row.get("id"));
                                broken.executeQuery();
                            }
                        })));

        rig.fire(rig.run("review@1", "review"));

        rig.awaitState("review@1", "succeeded");
        assertThat(rig.ledger.texts("select result->>'done', result->>'failed' from run"))
                .containsExactly("99");
        assertThat(status(20)).isEqualTo("new");
    }

    private void awaitSucceeded(int runs) {
        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from run where state = 'succeeded'") == runs);
    }

    private String status(int id) {
        List<String> found = rig.ledger.texts("select status from public.orders where id = ?", (long) id);
        return found.get(0);
    }

    private static void review(Connection connection, Row row) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into review values (?, 'x')")) {
            insert.setObject(1, row.get("id"));
            insert.executeUpdate();
        }
    }
}
