package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onbeat.task.PermanentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DailyReportTest {
    private static final Instant FIRE_TIME = Instant.parse("2026-07-14T18:05:00Z");

    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("report");
    private final DailyReport task = new DailyReport();

    @TempDir
    Path folder;

    @AfterEach
    void drop() {
        database.close();
    }

    private TestRun run(Instant at, String more) {
        return TestRun.of("daily-report", at, "{\"folder\": \"" + folder + "\"" + more + "}", source);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void oneRowAndOneFileADayWhoeverAsks() throws Exception {
        for (int i = 0; i < 3; i++) {
            new PlaceOrders().run(TestRun.of("place-orders", FIRE_TIME.minusSeconds(3600 * i), "{}", source));
        }
        DemoDatabase.together(6, () -> task.run(run(FIRE_TIME, "")));
        Path file = folder.resolve("daily-report-2026-07-14.csv");
        String text = Files.readString(file);
        String cents = database.query("select cents from demo.daily_report");
        assertThat(text)
                .isEqualTo("day,orders,cents,reviewed,run\n2026-07-14,10," + cents
                        + ",0,daily-report@2026-07-14T18:05:00Z\n");
        Files.delete(file);
        new PlaceOrders().run(TestRun.of("place-orders", FIRE_TIME.plusSeconds(1), "{}", source));
        DailyReport.Written again = (DailyReport.Written)
                task.run(run(FIRE_TIME.plusSeconds(300), "").withRunKey("daily-report@manual:1"));
        assertThat(again.created()).isFalse();
        assertThat(Files.readString(file)).isEqualTo(text);
        task.run(run(FIRE_TIME.plusSeconds(86_400), ""));
        assertThat(database.query("select count(*) from demo.daily_report")).isEqualTo("2");
        assertThat(files()).containsExactly("daily-report-2026-07-14.csv", "daily-report-2026-07-15.csv");
    }

    @Test
    void theDayIsOfTheZone() throws Exception {
        task.run(run(FIRE_TIME, ", \"zone\": \"Asia/Tokyo\""));
        assertThat(files()).containsExactly("daily-report-2026-07-15.csv");
        assertThatThrownBy(() -> task.run(run(FIRE_TIME, ", \"zone\": \"Mars/Base\"")))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("zone must be a time zone such as Asia/Shanghai, not Mars/Base");
    }

    @Test
    void aFileThatCannotBeWrittenLeavesNoRow() throws Exception {
        Path blocked = Files.createFile(folder.resolve("blocked"));
        TestRun run = TestRun.of("daily-report", FIRE_TIME, "{\"folder\": \"" + blocked + "\"}", source);
        assertThatThrownBy(() -> task.run(run)).isInstanceOf(IOException.class);
        assertThat(database.query("select count(*) from demo.daily_report")).isEqualTo("0");
    }
}
