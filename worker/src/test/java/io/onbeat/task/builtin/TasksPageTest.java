package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/tasks.md names exactly the arguments that the code reads. */
class TasksPageTest {
    private static final Path PAGE = Path.of(System.getProperty("onbeat.root"), "docs/tasks.md");

    static Stream<Arguments> keys() {
        return Stream.of(
                Arguments.of(HttpTask.NAME, HttpCall.KEYS),
                Arguments.of(ExecTask.NAME, Command.KEYS),
                Arguments.of(CeleryTask.NAME, CeleryMessage.KEYS),
                Arguments.of(SqlTask.NAME, SqlScript.KEYS));
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
    void theFirstTaskCompilesAgainstTheWorker(@TempDir Path folder) throws IOException {
        String code = Files.readString(PAGE).split("```java\n")[1].split("```")[0];
        Path file = Files.writeString(folder.resolve("CloseCarts.java"), code);
        String worker = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", worker, "-d", folder.toString(), file.toString());
        assertThat(exit).isZero();
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
