package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpOptionsTest {
    @TempDir
    Path folder;

    @Test
    void theScheduleFileIsTheOneOfTheWordsElseOfTheEnvironment() throws Exception {
        Path named = Files.createFile(folder.resolve("named.yaml"));
        Path set = Files.createFile(folder.resolve("set.yaml"));
        Map<String, String> environment = Map.of("ONBEAT_SCHEDULES", set.toString());

        assertThat(UpOptions.parse(List.of(), environment).schedules()).isEqualTo(set);
        assertThat(UpOptions.parse(List.of("--schedules", named.toString()), environment)
                        .schedules())
                .isEqualTo(named);
        assertThatThrownBy(() -> UpOptions.parse(List.of(), Map.of("ONBEAT_SCHEDULES", "/no/such.yaml")))
                .hasMessage("ONBEAT_SCHEDULES /no/such.yaml: there is no such file or folder");
    }
}
