package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.task.RowCounts;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** docs/tasks.md names exactly the arguments that the code reads. */
class TasksPageTest {
    private static final Path PAGE = Path.of(System.getProperty("onbeat.root"), "docs/tasks.md");

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of(HttpTask.NAME, HttpCall.KEYS),
                Arguments.of(ExecTask.NAME, Command.KEYS),
                Arguments.of(CeleryTask.NAME, CeleryMessage.KEYS),
                Arguments.of(SqlTask.NAME, SqlScript.KEYS),
                Arguments.of(RowsTask.NAME, RowsOrder.KEYS));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void namesEveryArgument(String task, List<String> keys) throws IOException {
        String table =
                section(task).replaceFirst("(?s).*?\\| argument .*?\n", "").replaceFirst("(?s)\n\n.*", "");
        assertThat(Pattern.compile("(?m)^\\| (`\\w+`(?:, `\\w+`)*) \\|")
                        .matcher(table)
                        .results()
                        .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", "))))
                .containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void namesTheParametersOfEverySqlStatement() throws IOException {
        assertThat(SqlScript.OWN_PARAMS)
                .allSatisfy(name -> assertThat(section(SqlTask.NAME)).contains("`:" + name + "`"));
    }

    @Test
    void theFirstTaskAndItsTestCompileAgainstTheWorkerAndPass(@TempDir Path folder) throws Exception {
        String page = Files.readString(PAGE);
        Path task = Files.writeString(
                folder.resolve("CloseCarts.java"), page.split("```java\n")[1].split("```")[0]);
        String lines = page.split("## Test a task\n")[1].split("```java\n")[1].split("```")[0];
        Path test = Files.writeString(folder.resolve("CloseCartsTest.java"), """
                package com.example;

                import static org.assertj.core.api.Assertions.assertThat;

                import io.onbeat.task.test.TaskTest;

                public final class CloseCartsTest {
                    public static void closesTwo(javax.sql.DataSource dataSource) {
                %s
                    }
                }
                """.formatted(lines));
        String worker = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        worker,
                        "-d",
                        folder.toString(),
                        task.toString(),
                        test.toString());
        assertThat(exit).isZero();

        Database database = TestServices.freshDatabase();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        try (URLClassLoader classes =
                        new URLClassLoader(new URL[] {folder.toUri().toURL()});
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table cart (open boolean, touched_at timestamptz);"
                    + " insert into cart select true, now() - n * interval '20 days' from generate_series(0, 3) n");
            classes.loadClass("com.example.CloseCartsTest")
                    .getMethod("closesTwo", DataSource.class)
                    .invoke(null, source);
        } finally {
            TestServices.dropDatabase(database);
        }
    }

    @Test
    void theResultOfRowsIsTheOneThatItShows() throws IOException {
        RowCounts counts = new RowCounts(97, 3, 3, 0, "id 13: …");
        assertThat(section(RowsTask.NAME))
                .contains(Nightly.json(counts)
                        .replace(":", ": ")
                        .replace(",", ", ")
                        .replace("13:  ", "13: "));
        assertThat(RowsOrder.STATUS_KEYS)
                .allSatisfy(key -> assertThat(section(RowsTask.NAME)).contains("`" + key + "`"));
    }

    @Test
    void theResultOfSqlIsTheOneThatItShows() throws IOException {
        assertThat(section(SqlTask.NAME))
                .contains("result is `{\"statements\": [{\"rows\": 3}, {\"rows\": 1, \"first\": {\"id\": 7}}]}`");
    }

    private static String section(String task) throws IOException {
        String page = Files.readString(PAGE);
        int start = page.indexOf("\n### " + task + "\n");
        assertThat(start).isPositive();
        return page.substring(start).replaceFirst("(?s)(\n### .*?)\n##.*", "$1");
    }
}
