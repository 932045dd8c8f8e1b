package io.onbeat.beat;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.onbeat.beat.web.StatusPage;
import io.onbeat.config.ConfigurationErrors;
import io.onbeat.config.Settings;
import io.onbeat.fault.CrashPoint;
import io.onbeat.metrics.Meters;
import io.onbeat.metrics.StatusServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of a beat: runs until it is told to stop. */
public final class BeatMain {
    private static final Logger log = LoggerFactory.getLogger(BeatMain.class);

    private BeatMain() {}

    /** @return the exit code: 0 after a stop in good order, 2 for wrong settings */
    public static int run(Map<String, String> environment) throws InterruptedException {
        BeatSettings settings;
        try {
            Settings source = Settings.of(environment);
            settings = BeatSettings.read(source, id());
            CrashPoint.wrongWish().ifPresent(source::problem);
            source.check();
        } catch (ConfigurationErrors wrong) {
            wrong.problems().forEach(System.err::println);
            return 2;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        PrometheusMeterRegistry meters = Meters.create();
        Meters.addProcess(meters);
        Beat beat = new Beat(settings, meters);
        StatusServer status;
        try {
            status = StatusServer.start(settings.httpHost(), settings.httpPort(), beat::health, meters::scrape);
        } catch (IOException taken) {
            System.err.println(taken.getMessage());
            beat.close();
            return 2;
        }
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            log.info("stopping");
                            beat.close();
                            log.info("stopped");
                            stopped.countDown();
                        },
                        "stop"));
        status.page(new StatusPage(beat.ledger(), settings.id(), beat::leading, beat::fileError, beat::health)::html);
        status.post(
                "/reload",
                () -> beat.reload()
                        .map(error -> new StatusServer.Reply(409, error))
                        .orElseGet(() -> new StatusServer.Reply(200, "taken over")));
        Hangup.on(beat::reload);
        beat.start();
        log.info(
                "beat {} runs {} on {}, {}",
                settings.id(),
                settings.schedules(),
                settings.servers().ledger(),
                settings.servers().broker());
        log.info("the page is at http://{}:{}/, beside it /health and /metrics", settings.httpHost(), status.port());
        stopped.await();
        return 0;
    }

    // unique on a host too: two beats on one host are two beats
    static String id() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            host = "beat";
        }
        long pid = ManagementFactory.getRuntimeMXBean().getPid();
        return host + "-" + pid + "-" + UUID.randomUUID().toString().substring(0, 4);
    }
}
