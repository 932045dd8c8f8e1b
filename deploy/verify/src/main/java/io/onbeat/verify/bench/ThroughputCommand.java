package io.onbeat.verify.bench;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onbeat bench throughput}. */
@Command(
        name = "throughput",
        description = {
            "No-op runs per second, from due to settled, beside raw RabbitMQ (publish, confirm, consume, ack of as many equal"
                    + " messages at quorum queues of the same broker).",
            "Every round a beat finds 1,000 schedules overdue; a round of the reference goes before each of them. The first"
                    + " pair only warms up."
        },
        footer = {"", "Example:", "  onbeat bench throughput --rounds 5 --json"})
final class ThroughputCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--runs",
            defaultValue = "50000",
            description = "Runs that are due in each round, in thousands: 50000 leaves 1,000 schedules 50 s behind."
                    + " Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--workers", defaultValue = "1", description = "Worker processes. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(names = "--slots", defaultValue = "256", description = "Slots of each worker. Default: ${DEFAULT-VALUE}.")
    private int slots;

    @Option(
            names = "--profile",
            paramLabel = "FOLDER",
            description = "Record beat and workers with Java Flight Recorder into this folder. It slows them a little.")
    private Optional<Path> profile;

    @Option(
            names = "--peers",
            description =
                    "Take turns with db-scheduler, JobRunr, Quartz and Celery as well, on the same servers. Celery comes"
                            + " from Debian. One that cannot be had here is left out.")
    private boolean peers;

    @Override
    public Integer call() {
        options.check();
        options.check("--runs", runs, Throughput.SCHEDULES, 1_000_000);
        options.check("--workers", workers, 1, 16);
        options.check("--slots", slots, 1, 10_000);
        Progress progress = new Progress(spec.commandLine().getErr());
        progress.say("starting PostgreSQL and RabbitMQ");
        try (BenchServers servers = BenchServers.start();
                Throughput throughput =
                        new Throughput(servers, new Throughput.Size(runs, workers, slots), profile, progress);
                Peers measuredToo = peers ? Peers.start(servers, runs, progress) : Peers.none(progress)) {
            Measurement measured = new Rounds(progress).measure(throughput, measuredToo, options.rounds());
            options.print(new Report(measured, servers.versions()));
        }
        return 0;
    }
}
