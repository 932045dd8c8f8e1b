package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationsPageTest {
    @Test
    void theTableOfWorkerSettingsIsWhatTheCodeReads() throws IOException {
        Path page = Path.of(System.getProperty("onbeat.root"), "docs", "operations.md");
        String section = Files.readString(page).split("### Worker\n")[1].split("\n#")[0];
        Map<String, String> table = new LinkedHashMap<>();
        section.lines().filter(line -> line.startsWith("| `ONBEAT_")).forEach(line -> {
            String[] cells = line.split("\\|");
            table.put(
                    cells[1].strip().replace("`", ""),
                    cells[2].strip().startsWith("`") ? cells[2].strip().replace("`", "") : "");
        });
        Map<String, String> read = new LinkedHashMap<>(WorkerSettingNames.DEFAULTS);
        for (String part : new String[] {"URL", "USER", "PASSWORD"}) {
            read.put(WorkerSettingNames.DATASOURCE + "NAME_" + part, "");
        }

        assertThat(table).isEqualTo(read);
    }
}
