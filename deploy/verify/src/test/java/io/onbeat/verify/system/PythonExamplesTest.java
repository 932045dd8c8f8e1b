package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.DebianPackages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands of deploy/examples/python/README.md, as they stand there, in a folder like a fresh clone that is built. */
class PythonExamplesTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    @Test
    void the_python_program_runs() throws Exception {
        try (FreshClone clone = new FreshClone(cluster, "clone-schedule.yaml", "python")) {
            clone.start(clone.command("schedule.yaml"));
            Path reports = clone.resolve(".onbeat/reports");
            cluster.books()
                    .await(
                            LIMIT,
                            "select count(*) > 0 from run where schedule = 'python-report' and state = 'succeeded'");
            String file =
                    cluster.books().text("select result->>'file' from run where schedule = 'python-report' limit 1");
            String day = cluster.books()
                    .text("select split_part(key, '@', 2) from run where schedule = 'python-report' limit 1");
            assertThat(Path.of(file).getFileName()).hasToString(day + ".txt");
            assertThat(reports.resolve(day + ".txt")).hasContent("Daily report, " + day);
            assertThat(cluster.books().texts("select key from once where finished_at is not null"))
                    .contains("run:python-report@" + day + "#write");
            clone.stop();
        }
    }

    @Test
    void the_celery_worker_runs_what_onbeat_fires() throws Exception {
        DebianPackages.install("python3-celery", "python3-psycopg2");
        try (FreshClone clone = new FreshClone(cluster, "clone-celery-demo", "python")) {
            clone.start(clone.command("celery-demo"));
            Path settled = clone.resolve(".onbeat/settled.jsonl");
            await().atMost(LIMIT)
                    .until(() -> Files.exists(settled)
                            && !Files.readAllLines(settled).isEmpty());
            assertThat(Files.readAllLines(settled).get(0))
                    .contains("\"run_key\": \"shop-settle@")
                    .contains("\"args\": [\"EUR\", 9007199254740993]")
                    .contains("\"kwargs\": {\"note\": \"\\u00c5se \\ud83d\\ude00\", \"nothing\": null}");
            clone.stop();
        }
    }
}
