package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.task.PermanentFailure;
import io.onbeat.task.test.TaskTest;
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
    private final TaskTest orders = TaskTest.of(new PlaceOrders()).ledger(source);

    @TempDir
    Path folder;

    @AfterEach
    void drop() {
        database.close();
    }

    private TaskTest report(Instant at, String more) {
        return TaskTest.of(new DailyReport())
                .fireTime(at)
                .args("{\"folder\": \"" + folder + "\"" + more + "}")
                .ledger(source);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void oneRowAndOneFileADayWhoeverAsks() throws Exception {
        for (int i = 0; i < 3; i++) {
            orders.fireTime(FIRE_TIME.minusSeconds(3600 * i)).run().result();
        }
        DemoDatabase.together(6, () -> report(FIRE_TIME, "").run().result());
        Path file = folder.resolve("daily-report-2026-07-14.csv");
        String text = Files.readString(file);
        String cents = database.query("select cents from demo.daily_report");
        assertThat(text)
                .isEqualTo("day,orders,cents,reviewed,run\n2026-07-14,10," + cents
                        + ",0,daily-report@2026-07-14T18:05:00Z\n");
        Files.delete(file);
        orders.fireTime(FIRE_TIME.plusSeconds(1)).run().result();
        DailyReport.Written again = report(FIRE_TIME.plusSeconds(300), "")
                .runKey("daily-report@manual:1")
                .run()
                .result(DailyReport.Written.class);
        assertThat(again.created()).isFalse();
        assertThat(Files.readString(file)).isEqualTo(text);
        report(FIRE_TIME.plusSeconds(86_400), "").run().result();
        assertThat(database.query("select count(*) from demo.daily_report")).isEqualTo("2");
        assertThat(files()).containsExactly("daily-report-2026-07-14.csv", "daily-report-2026-07-15.csv");
    }

    @Test
    void theDayIsOfTheZone() throws Exception {
        report(FIRE_TIME, ", \"zone\": \"Asia/Tokyo\"").run().result();
        assertThat(files()).containsExactly("daily-report-2026-07-15.csv");
        assertThat(report(FIRE_TIME, ", \"zone\": \"Mars/Base\"").run().thrown())
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("zone must be a time zone such as Asia/Shanghai, not Mars/Base");
    }

    @Test
    void aFileThatCannotBeWrittenLeavesNoRow() throws Exception {
        Path blocked = Files.createFile(folder.resolve("blocked"));
        TaskTest test = report(FIRE_TIME, "").args("{\"folder\": \"" + blocked + "\"}");
        assertThat(test.run().thrown()).isInstanceOf(IOException.class);
        assertThat(database.query("select count(*) from demo.daily_report")).isEqualTo("0");
    }
}
