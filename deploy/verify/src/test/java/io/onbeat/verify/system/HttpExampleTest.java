package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.local.GuardedProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** deploy/examples/http: a request that arrives more than once has one effect. */
class HttpExampleTest {
    private static final int RUNS = 6;
    private static final Pattern ADDRESS = Pattern.compile("receiving at (http://\\S+)");

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final HttpClient client = HttpClient.newHttpClient();
    private GuardedProcess receiver;
    private String address;

    @BeforeEach
    void receive() {
        Path log = cluster.folder().resolve("receiver.log");
        receiver = GuardedProcess.start(new GuardedProcess.Spec(
                "receiver",
                List.of(
                        "python3",
                        example("receiver.py").toString(),
                        "--port",
                        "0",
                        "--lose",
                        "2",
                        "--file",
                        file().toString()),
                Processes.environment(Map.of("PYTHONDONTWRITEBYTECODE", "1")),
                log,
                cluster.folder().resolve("receiver.pid"),
                "TERM",
                Duration.ofSeconds(20)));
        address = await().atMost(Duration.ofMinutes(1)).until(() -> announced(log), found -> !found.isEmpty());
    }

    @AfterEach
    void stop() {
        receiver.stop();
    }

    @Test
    void everyRunIsReceivedOnceThoughAnswersAreLost() throws Exception {
        cluster.schedules(Files.readString(example("schedule.yaml"))
                .replace("http://127.0.0.1:8000", address)
                .replace("every: 5s", "every: 1s"));
        cluster.startBeat();
        Node worker = cluster.startWorker();
        books.await("select count(*) filter (where state = 'succeeded') >= 2 from run");
        worker.kill9();
        cluster.startWorker();
        books.await(
                "select count(*) filter (where state = 'succeeded' and attempt > 1) >= 2 and count(*) >= ? from run",
                RUNS);
        cluster.schedules("schedules: {}");
        books.await("select count(*) = 0 from schedule where removed_at is null");
        books.await("select count(*) = 0 from run where open");

        assertThat(books.texts("select distinct state from run")).containsExactly("succeeded");
        long runs = books.number("select count(*) from run");
        assertThat(received()).isEqualTo(runs + " " + runs);

        String key = books.text("select key from run order by id limit 1");
        String kept = books.text("select result->>'body' from run order by id limit 1");
        assertThat(List.of(send(key), send(key))).contains(kept);
        assertThat(received())
                .as("after two more requests with a key that is known")
                .isEqualTo(runs + " " + runs);
    }

    @Test
    void aRequestWithoutAKeyIsRefused() throws Exception {
        String before = received();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(address + "/sync"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(received()).isEqualTo(before);
    }

    /** The kept answer, or "lost". */
    private String send(String key) throws InterruptedException {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(address + "/sync"))
                                    .header("Idempotency-Key", key)
                                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException lost) {
            return "lost";
        }
    }

    /** What was done, and how many keys are kept. */
    private static String received() throws Exception {
        Process ask = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("
                                + "'select (select count(*) from sync), (select count(*) from answer)').fetchone())",
                        file().toString())
                .redirectErrorStream(true)
                .start();
        String answer = new String(ask.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(ask.waitFor()).as(answer).isZero();
        return answer.strip();
    }

    private static String announced(Path log) throws IOException {
        Matcher found = ADDRESS.matcher(Files.exists(log) ? Files.readString(log) : "");
        return found.find() ? found.group(1) : "";
    }

    private static Path file() {
        return cluster.folder().resolve("received.sqlite");
    }

    private static Path example(String name) {
        return Processes.root().resolve("deploy/examples/http").resolve(name);
    }
}
