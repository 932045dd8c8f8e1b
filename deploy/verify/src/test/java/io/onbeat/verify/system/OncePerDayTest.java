package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Under unique_by a day has one run, whoever asks for it and however often. */
class OncePerDayTest {
    private static final Instant SIX_IN_SHANGHAI = Instant.parse("2026-07-14T10:00:00Z");
    private static final String KEY = "daily-report@2026-07-14";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @Test
    void theCronAHandAndASecondBeatMakeOneReport() throws IOException {
        Path reports = Files.createDirectory(cluster.folder().resolve("reports"));
        books.setClock(SIX_IN_SHANGHAI.minusSeconds(20));
        cluster.schedules("""
                timezone: Asia/Shanghai
                schedules:
                  daily-report:
                    cron: "0 18 * * *"
                    task: daily-report
                    args: {zone: Asia/Shanghai, folder: %s}
                    unique_by: day
                """.formatted(reports));
        Node firstBeat = cluster.startBeat();
        cluster.startWorker();
        books.await("select count(*) = 1 from schedule");

        books.setClock(SIX_IN_SHANGHAI);
        books.await("select count(*) = 1 from run where key = ? and state = 'succeeded'", KEY);
        assertThat(books.text("select origin from run")).isEqualTo("schedule");

        books.setClock(SIX_IN_SHANGHAI.plus(Duration.ofMinutes(5)));
        CommandLine.Answer byHand = cluster.onbeat("trigger", "daily-report");
        assertThat(byHand.exitCode()).as(byHand.toString()).isZero();
        assertThat(byHand.out()).contains("already ran").contains(KEY);

        aSecondBeatFiresItAgain(firstBeat);
        assertThat(books.texts("select key from run")).containsExactly(KEY);
        assertThat(books.number("select attempt from run")).isEqualTo(1);
        assertThat(books.texts("select day::text || ' ' || run_key from demo.daily_report"))
                .containsExactly("2026-07-14 " + KEY);
        try (Stream<Path> files = Files.list(reports)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("daily-report-2026-07-14.csv");
        }
    }

    // a beat that knows nothing of the first one's fire: the watermark is set back to before it, against the ledger's
    // rule
    private void aSecondBeatFiresItAgain(Node firstBeat) {
        firstBeat.kill9();
        books.execute("""
                alter table schedule disable trigger watermark_never_falls;
                update schedule set watermark = '%s';
                alter table schedule enable trigger watermark_never_falls""".formatted(SIX_IN_SHANGHAI.minusSeconds(1)));
        cluster.startBeat();
        books.await("select watermark > ? from schedule", SIX_IN_SHANGHAI.plus(Duration.ofMinutes(5)));
        books.await("select count(*) = 0 from outbox");
        cluster.console().awaitDepth("onbeat.task.default", 0);
    }
}
