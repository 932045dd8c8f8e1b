package io.onbeat.verify.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onbeat bench herd}. */
@Command(
        name = "herd",
        description = {
            "Seconds from due until the last message is confirmed, the last run started and the last settled, where all"
                    + " schedules are due in the same second.",
            "Takes a minute for each round; the first herd warms up."
        },
        footer = {"", "Example:", "  onbeat bench herd --schedules 10000 --rounds 5 --json"})
final class HerdCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--schedules",
            defaultValue = "10000",
            description = "How many are due at once. Default: ${DEFAULT-VALUE}.")
    private int schedules;

    @Override
    public Integer call() {
        options.check();
        options.check("--schedules", schedules, 1, 100_000);
        Progress progress = new Progress(spec.commandLine().getErr());
        progress.say("starting PostgreSQL, RabbitMQ, a beat and a worker");
        try (BenchServers servers = BenchServers.start();
                Herd herd = new Herd(servers, schedules)) {
            herd.next();
            progress.say("warmed up");
            Figures figures = new Figures("s");
            for (int round = 1; round <= options.rounds(); round++) {
                String label = "round " + round + "/" + options.rounds();
                herd.next().forEach((name, value) -> figures.add(progress, label, name, value));
            }
            options.print(new FigureReport("herd of " + schedules, figures.all(), servers.versions()));
        }
        return 0;
    }
}
