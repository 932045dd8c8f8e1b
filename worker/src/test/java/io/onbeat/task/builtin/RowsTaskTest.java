package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.task.test.TaskOutcome;
import io.onbeat.task.test.TaskTest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

class RowsTaskTest {
    private static final String ORDERS = "\"table\": \"orders\", \"status\": {\"from\": \"new\", \"to\": \"billed\"}";
    private static final String BILL = ORDERS + ", \"sql\": [\"insert into bill (order_id) select 100 / (:id - 2)\"]";

    private static Database database;
    private static DataSource source;

    private final TaskTest test = TaskTest.of(new RowsTask()).ledger(source).dataSource("shop", source);

    @BeforeAll
    static void create() {
        database = TestServices.freshDatabase();
        PGSimpleDataSource simple = new PGSimpleDataSource();
        simple.setUrl(database.jdbcUrl());
        simple.setUser(database.user());
        simple.setPassword(database.password());
        source = simple;
    }

    @AfterAll
    static void drop() {
        TestServices.dropDatabase(database);
    }

    @BeforeEach
    void threeOrders() throws SQLException {
        execute("drop table if exists orders, bill");
        execute("create table orders (id int primary key, status text not null)");
        execute("create table bill (order_id int)");
        execute("insert into orders select n, 'new' from generate_series(1, 3) n");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> texts(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (result.next()) {
                texts.add(result.getString(1));
            }
            return texts;
        }
    }

    private TaskOutcome run(String args) {
        return test.args("{" + args + "}").run();
    }

    @Test
    void everyColumnArrivesUnchanged() throws SQLException {
        execute("drop table if exists item, copy; drop type if exists stage");
        execute("create type stage as enum ('raw', 'done')");
        execute("create table item (code uuid primary key, stage stage not null, seen timestamptz, local timestamp,"
                + " day date, price numeric, extra jsonb, tags text[], big bigint, note text)");
        execute("create table copy (like item, run text)");
        execute(
                "insert into item values ('6a4dd631-3d04-5ad2-a85d-ed80d001d591', 'raw', '2026-07-14 18:00:00.123456+02',"
                        + " '2026-03-29 02:30', '1900-01-01', 0.10, '{\"a\": [1]}', '{x,\"y,z\"}', 9007199254740993, null)");
        TaskOutcome outcome = run("""
                "table": "item", "key": "code", "data_source": "shop",
                "status": {"column": "stage", "from": "raw", "to": "done"},
                "sql": [{"sql": "insert into copy values
                  (:code, :stage, :seen, :local, :day, :price, :extra, :tags, :big, :note, :run_key || :mark)",
                  "params": {"mark": "!"}}]""".replace("\n", " "));
        assertThat(outcome.result().toString())
                .isEqualTo("{\"done\":1,\"failed\":0,\"givenUp\":0,\"passedOver\":0,\"firstFailure\":\"\"}");
        assertThat(texts("select stage from item")).containsExactly("done");
        assertThat(texts("select run from copy")).containsExactly("rows@2026-07-14T18:00:00Z!");
        assertThat(texts("select count(*) from item join copy using (code, seen, local, day, price, extra, tags, big)"
                        + " where item.note is null and copy.note is null and copy.stage = 'raw'"))
                .containsExactly("1");
    }

    @Test
    void aRowThatFailsHarmsNoOtherAndIsTriedAgainByTheNextAttempt() throws SQLException {
        TaskOutcome outcome = run(BILL);
        assertThat(outcome).isInstanceOf(TaskOutcome.Failed.class);
        assertThat(outcome.thrown())
                .isInstanceOf(RowsFailed.class)
                .hasMessage("1 of 3 rows failed, the first: id 2: statement 1 of 1: ERROR: division by zero");
        assertThat(texts("select id || ' ' || status from orders order by id"))
                .containsExactly("1 billed", "2 new", "3 billed");
        execute("update orders set id = 22 where id = 2");
        assertThat(run(BILL).result().path("done").asInt()).isEqualTo(1);
        assertThat(texts("select order_id from bill order by 1")).containsExactly("-100", "5", "100");
    }

    @Test
    void succeedsWithTheCountsOnceEveryRowThatIsLeftHasFailedTooOften() throws SQLException {
        String twice = BILL + ", \"max_failures\": 2";
        assertThat(run(twice)).isInstanceOf(TaskOutcome.Failed.class);
        assertThat(run(twice).result().toString())
                .startsWith("{\"done\":0,\"failed\":1,\"givenUp\":1,\"passedOver\":0,\"firstFailure\":\"id 2: ");
        assertThat(run(twice).result().toString())
                .startsWith("{\"done\":0,\"failed\":0,\"givenUp\":0,\"passedOver\":1,");
        assertThat(texts("select status from orders where id = 2")).containsExactly("new");
    }

    @Test
    void aRowThatWasSetAsideAndPutBackIsTriedAgain() throws SQLException {
        String aside = BILL.replace("\"billed\"", "\"billed\", \"set_aside\": \"broken\"") + ", \"max_failures\": 1";
        assertThat(run(aside).result().path("givenUp").asInt()).isEqualTo(1);
        assertThat(texts("select status from orders where id = 2")).containsExactly("broken");
        execute("update orders set id = 12, status = 'new' where id = 2");
        execute("insert into orders values (2, 'new')");
        assertThat(run(aside).result().toString())
                .startsWith("{\"done\":1,\"failed\":1,\"givenUp\":1,\"passedOver\":0,");
        assertThat(texts("select status from orders where id in (2, 12) order by id"))
                .containsExactly("broken", "billed");
    }

    @Test
    void takesOnlyTheRowsOfItsCondition() throws SQLException {
        run(BILL + ", \"where\": \"id > 2 or id < 1\", \"batch\": 1").result();
        assertThat(texts("select id from orders where status = 'billed'")).containsExactly("3");
    }

    @Test
    void aStatusMayBeANumber() throws SQLException {
        execute("alter table orders add state int not null default 0");
        run("\"table\": \"orders\", \"status\": {\"column\": \"state\", \"from\": 0, \"to\": 1},"
                        + " \"sql\": [\"insert into bill values (:id)\"]")
                .result();
        assertThat(texts("select distinct state from orders")).containsExactly("1");
        assertThat(texts("select count(*) from bill")).containsExactly("3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "sql": ["select 1"]                              | "table" is missing; it must be a table, such as shop.orders
            "table": "orders", "sql": ["select 1"]           | "status" is missing; it must be a map such as {column: status, from: new, to: done}
            "table": "orders", "status": {"from": "a"}, "sql": ["select 1"] | rows: status: the argument "to" is missing
            "table": "orders", "status": {"form": "a"}, "sql": ["select 1"] | rows: status: unknown argument "form"; it takes column, from, to, set_aside; did you mean "from"?
            ORDERS                                           | it takes one of "sql" and "http", and there is neither
            ORDERS, "sql": ["select 1"], "http": {}          | it takes one of "sql" and "http", and there are both
            ORDERS, "sql": "select 1"                        | "sql" must be a list of statements, each a text or a map of sql and params, not "select 1"
            ORDERS, "sql": ["commit"]                        | "sql" must be free of COMMIT (statement 1)
            ORDERS, "sql": ["select 1", "select :total"]     | statement 2 uses :total, and orders has no such column; it has id, status
            ORDERS, "sql": ["select 1"], "key": "no"         | "key" or "status" names no, and orders has no such column
            ORDERS, "sql": ["select 1"], "key": "a b"        | 'a b' is no name of a key column
            ORDERS, "sql": ["select 1"], "batch": 0          | "batch" must be a number from 1 to 10000, not 0
            ORDERS, "sql": ["select 1"], "max_failures": "5" | "max_failures" must be a number from 1 to 1000, not "5"
            ORDERS, "sql": ["select 1"], "data_source": "x"  | this test has no data source 'x'
            ORDERS, "http": []                               | rows: http: the arguments must be a map of url, method,
            ORDERS, "http": {"method": "GET"}                | rows: http: the argument "url" is missing
            ORDERS, "http": {"url": "http://h/${row:no}"}    | http uses ${row:no}, and orders has no such column; it has id, status
            ORDERS, "http": {"url": "http://h/", "headers": {"Host": "a"}} | rows: http: the argument "headers" must be headers that may be set
            """)
    void namesTheWrongArgumentBeforeAnyRowIsTouched(String args, String expected) throws SQLException {
        TaskOutcome outcome = run(args.replace("ORDERS", ORDERS));
        assertThat(outcome).isInstanceOf(TaskOutcome.FailedForGood.class);
        assertThat(outcome.thrown())
                .hasMessageStartingWith(args.contains("data_source") ? "this" : "rows: ")
                .hasMessageContaining(expected);
        assertThat(texts("select distinct status from orders")).containsExactly("new");
    }
}
