package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.task.PermanentFailure;
import io.onbeat.task.TaskContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class SqlTaskTest {
    private static Database database;
    private static DataSource source;

    private final SqlTask task = new SqlTask();

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
    void empty() throws SQLException {
        query("drop table if exists note; "
                + "create table note (id int primary key, day date, text text, extra jsonb, price numeric, done boolean); "
                + "select 1");
    }

    private static String query(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            boolean rows = statement.execute(sql);
            while (!rows && statement.getUpdateCount() >= 0) {
                rows = statement.getMoreResults();
            }
            try (ResultSet set = statement.getResultSet()) {
                set.next();
                return String.valueOf(set.getString(1));
            }
        }
    }

    private static TaskContext context(String args) {
        return Nightly.test(args).ledger(source).dataSource("shop", source).context();
    }

    @Test
    void givesEveryKindOfValueToTheDatabase() throws Exception {
        Object result = task.run(context("""
                {"params": {"id": 7, "day": "2026-02-28"},
                 "statements": [
                   {"sql": "insert into note values (:id, :day, :run_key, :extra, :price, :done)",
                    "params": {"extra": {"list": [1, "é"]}, "price": 0.10, "done": true}},
                   "insert into note (id, text) values (8, :schedule), (9, null) returning id, text",
                   {"sql": "update note set text = :text where id = 9", "params": {"text": null}},
                   "select *, :attempt::int as attempt, (:fire_time::timestamptz)::text as at from note order by id"]}
                """));
        assertThat(Nightly.json(Nightly.json(result))).isEqualTo(Nightly.json("""
                {"statements": [
                  {"rows": 1},
                  {"rows": 2, "first": {"id": 8, "text": "nightly"}},
                  {"rows": 1},
                  {"rows": 3, "first": {"id": 7, "day": "2026-02-28", "text": "nightly@2026-07-14T18:00:00Z",
                    "extra": "{\\"list\\": [1, \\"é\\"]}", "price": 0.10, "done": true, "attempt": 2,
                    "at": "2026-07-14 18:00:00+00"}}]}
                """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger", "shop"})
    void allStatementsAreOneTransaction(String dataSource) throws Exception {
        assertThatThrownBy(() -> task.run(context("{\"data_source\": \"" + dataSource + "\", \"statements\": "
                        + "[\"insert into note (id) values (1)\", \"insert into note (id) values (1)\"]}")))
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("statement 2 of 2: ERROR: duplicate key")
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("23505");
        assertThat(query("select count(*) from note")).isEqualTo("0");
        task.run(context(
                "{\"data_source\": \"" + dataSource + "\", \"statements\": [\"insert into note (id) values (1)\"]}"));
        assertThat(query("select count(*) from note")).isEqualTo("1");
    }

    @Test
    void countsEveryResultOfATextWithSeveralStatements() throws Exception {
        Object result = task.run(
                context(
                        "{\"statements\": [\"insert into note (id) select generate_series(1, 3); delete from note where id > :n; select id from note\"], \"params\": {\"n\": 1}}"));
        assertThat(Nightly.json(result))
                .isEqualTo("{\"statements\":[{\"rows\":3},{\"rows\":2},{\"rows\":1,\"first\":{\"id\":1}}]}");
    }

    @Test
    void readsFarMoreRowsThanItKeeps() throws Exception {
        Object result = task.run(
                context(
                        "{\"statements\": [\"select i, 'NaN'::float8 as f, repeat('x', 5000) as t from generate_series(1, 20000) i\"]}"));
        assertThat(Nightly.json(result))
                .contains("\"rows\":20000", "\"f\":\"NaN\"")
                .hasSizeLessThan(1500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger", "shop"})
    void anInterruptCancelsTheStatement(String dataSource) throws Exception {
        Interrupted interrupted = Interrupted.start(
                task,
                context("{\"data_source\": \"" + dataSource
                        + "\", \"statements\": [\"insert into note (id) values (1)\", \"select pg_sleep(100)\"]}"));
        String sleeping =
                "select count(*) from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'";
        await().until(() -> query(sleeping).equals("1"));
        assertThat(interrupted.endWithin(Duration.ofSeconds(10))).isInstanceOf(InterruptedException.class);
        await().until(() -> query(sleeping).equals("0"));
        assertThat(query("select count(*) from note")).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                    | "statements" is missing; it must be a list of statements
            {"statements": "select 1"}                            | "statements" must be a list of statements, each a text or a map of sql and params, not "select 1"
            {"statements": []}                                    | "statements"
            {"statements": [{"sq": "select 1"}]}                  | and "sq" is neither
            {"statements": ["select :a"]}                         | statement 1 uses :a, which the argument "params" does not hold
            {"statements": ["select 1"], "params": {"run_key":1}} | "params" must be free of "run_key"
            {"statements": ["select 1"], "params": [1]}           | "params" must be a map of names to values, not [1]
            {"statements": ["select 1", "commit"]}                | "statements" must be free of COMMIT (statement 2)
            {"statements": ["select 1"], "datasource": "a"}       | unknown argument "datasource"; it takes data_source, statements, params
            {"statements": ["select 1"], "data_source": "x"}      | this test has no data source 'x'
            """)
    void namesTheWrongArgument(String args, String expected) {
        assertThatThrownBy(() -> task.run(context(args)))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining(expected);
    }
}
