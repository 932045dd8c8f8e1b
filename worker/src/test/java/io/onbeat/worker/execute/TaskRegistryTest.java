package io.onbeat.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.config.ConfigurationErrors;
import io.onbeat.lock.LockSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskRegistryTest {
    @TempDir
    private Path folder;

    @Test
    void findsTheTasksOfEveryJarAndOfTheClassPath() throws Exception {
        jar("a.jar", "Alpha", "return \"alpha\";");
        jar("b.jar", "Beta", "return \"beta\";");

        TaskRegistry tasks = load("*");

        assertThat(tasks.names())
                .contains("alpha", "beta", "noop", "http", "sql")
                .doesNotContain("exec");
        assertThat(tasks.find("alpha").run(null)).isEqualTo("ran");
        assertThatThrownBy(() -> tasks.find("exec")).hasMessageContaining("add it to ONBEAT_ALLOWED_TASKS");
    }

    @Test
    void aWorkerMayBeToldWhichTasksItHas() throws Exception {
        jar("a.jar", "Alpha", "return \"alpha\";");

        assertThat(load("*", "exec").names()).contains("alpha", "exec");
        assertThat(load("alpha").names()).containsExactly("alpha");
        assertThatThrownBy(() -> load("alpha", "aplha"))
                .isInstanceOf(ConfigurationErrors.class)
                .hasMessageContaining("'aplha'")
                .hasMessageContaining("alpha, exec, http");
    }

    @Test
    void twoTasksOfOneNameAreAnErrorThatNamesBothJars() throws Exception {
        jar("a.jar", "Alpha", "return \"same\";");
        jar("b.jar", "Beta", "return \"same\";");

        assertThatThrownBy(() -> load("*"))
                .isInstanceOf(ConfigurationErrors.class)
                .hasMessageContaining("a.jar")
                .hasMessageContaining("b.jar")
                .hasMessageContaining("'same'");
    }

    @Test
    void aTaskThatDoesNotLoadTakesNoOtherWithIt() throws Exception {
        jar("a.jar", "Alpha", "throw new IllegalStateException(\"no configuration\");");
        jar("b.jar", "Beta", "return \"beta\";");

        assertThat(load("*").names()).contains("beta").doesNotContain("alpha");
    }

    private TaskRegistry load(String... allowed) {
        return TaskRegistry.load(
                new TaskSettings(
                        Optional.of(folder),
                        Set.copyOf(List.of(allowed)),
                        false,
                        Map.of(),
                        1,
                        new LockSettings(Optional.empty())),
                List.of(),
                List.of());
    }

    private void jar(String name, String className, String nameBody) throws IOException {
        Path source = folder.resolve(className + ".java");
        Files.writeString(source, """
                public final class %s implements io.onbeat.task.Task {
                    public String name() { %s }
                    public Object run(io.onbeat.task.TaskContext context) { return "ran"; }
                }
                """.formatted(className, nameBody));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(failed).isZero();
        try (OutputStream file = Files.newOutputStream(folder.resolve(name));
                JarOutputStream jar = new JarOutputStream(file)) {
            add(jar, className + ".class", Files.readAllBytes(folder.resolve(className + ".class")));
            add(jar, "META-INF/services/io.onbeat.task.Task", ("# ours\n" + className + "\n").getBytes());
        }
    }

    private static void add(JarOutputStream jar, String name, byte[] content) throws IOException {
        jar.putNextEntry(new JarEntry(name));
        jar.write(content);
        jar.closeEntry();
    }
}
