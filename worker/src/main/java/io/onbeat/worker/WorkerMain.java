package io.onbeat.worker;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.onbeat.config.ConfigurationErrors;
import io.onbeat.config.Settings;
import io.onbeat.fault.CrashPoint;
import io.onbeat.metrics.Meters;
import io.onbeat.metrics.StatusServer;
import io.onbeat.worker.report.WorkerReport;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker as a process. It ends by SIGTERM or SIGINT, after its drain; wrong settings end it at once, with exit code 2. */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] args) {
        try {
            run();
        } catch (ConfigurationErrors wrong) {
            wrong.problems().forEach(System.err::println);
            System.exit(2);
        } catch (IOException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
        }
    }

    private static void run() throws IOException {
        Settings settings = Settings.of(System.getenv());
        // before the first logger is made: the log configuration reads it
        System.setProperty(WorkerSettingNames.LOG_LEVEL, logLevel(settings));
        WorkerSettings read = WorkerSettings.read(settings, defaultId());
        CrashPoint.wrongWish().ifPresent(settings::problem);
        settings.check();
        PrometheusMeterRegistry meters = Meters.create();
        Meters.addProcess(meters);
        Worker worker = new Worker(read, List.of(), meters);
        StatusServer status = StatusServer.start(read.httpHost(), read.httpPort(), worker::health, meters::scrape);
        Logger log = LoggerFactory.getLogger(WorkerMain.class);
        log.info("health and metrics at http://{}:{}/health and /metrics", read.httpHost(), status.port());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(worker), "stop"));
        worker.start();
    }

    // Halts at the end, since a task that ignores its interrupt has been given back by then.
    private static void stop(Worker worker) {
        int exitCode = 0;
        try {
            worker.stopForGood();
        } catch (InterruptedException | RuntimeException failed) {
            LoggerFactory.getLogger(WorkerMain.class).error("did not stop in good order", failed);
            exitCode = 1;
        }
        Runtime.getRuntime().halt(exitCode);
    }

    private static String logLevel(Settings settings) {
        return settings.parsed(WorkerSettingNames.LOG_LEVEL, Defaults.of(WorkerSettingNames.LOG_LEVEL), text -> {
            String level = text.toUpperCase(Locale.ROOT);
            if (!Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE").contains(level)) {
                throw new IllegalArgumentException("is none of ERROR, WARN, INFO, DEBUG, TRACE");
            }
            return level;
        });
    }

    /** Host, process and a random part: unique also where every container has process 1. */
    private static String defaultId() {
        String random = Integer.toHexString(ThreadLocalRandom.current().nextInt(0x1000, 0x10000));
        return WorkerReport.host().replaceAll("[^A-Za-z0-9._-]", "-") + "-"
                + ProcessHandle.current().pid() + "-" + random;
    }
}
