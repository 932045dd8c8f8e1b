package io.onbeat.task.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.Task;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class BuiltInTasksTest {
    @Test
    void areFoundByTheirNames() {
        assertThat(ServiceLoader.load(Task.class))
                .extracting(Task::name)
                .containsExactlyInAnyOrder("exec", "http", "noop", "rows", "sql");
    }

    @Test
    void noopTakesAnything() throws Exception {
        assertThat(new NoopTask().run(Nightly.context("{\"anything\": [1]}"))).isNull();
    }
}
