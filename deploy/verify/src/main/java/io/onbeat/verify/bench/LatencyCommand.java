package io.onbeat.verify.bench;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onbeat bench latency}. */
@Command(
        name = "latency",
        description = {
            "Milliseconds from trigger to start and from start to settled, for 200 triggers a second and two workers; and"
                    + " again while a second queue of these workers is saturated.",
            "The trigger's commit is part of it. The first round warms up."
        },
        footer = {"", "Example:", "  onbeat bench latency --rounds 5 --json"})
final class LatencyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BenchOptions options;

    @Option(
            names = "--seconds",
            defaultValue = "20",
            description = "How long each of the two parts of a round takes. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Override
    public Integer call() {
        options.check();
        options.check("--seconds", seconds, 1, 600);
        Progress progress = new Progress(spec.commandLine().getErr());
        progress.say("starting PostgreSQL, RabbitMQ, a beat and two workers");
        try (BenchServers servers = BenchServers.start();
                Latency latency = new Latency(servers, seconds)) {
            latency.quiet();
            progress.say("warmed up");
            Figures figures = new Figures("ms");
            for (int round = 1; round <= options.rounds(); round++) {
                String label = "round " + round + "/" + options.rounds();
                latency.quiet().forEach((name, value) -> figures.add(progress, label, name, value));
                latency.besideABusyQueue().forEach((name, value) -> figures.add(progress, label, name, value));
            }
            options.print(new FigureReport("latency", figures.all(), servers.versions()));
        }
        return 0;
    }
}
