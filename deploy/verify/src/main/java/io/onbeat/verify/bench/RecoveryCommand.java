package io.onbeat.verify.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onbeat bench recovery}. */
@Command(
        name = "recovery",
        description = {
            "Seconds until work goes on after kill -9 of a worker, of the leading beat, of RabbitMQ and of PostgreSQL, with the"
                    + " settings as they are by default.",
            "Takes about two minutes for each round."
        },
        footer = {"", "Example:", "  onbeat bench recovery --rounds 5 --json"})
final class RecoveryCommand implements Callable<Integer> {
    private static final Map<String, ToDoubleFunction<RecoveryTimes>> FIGURES = figures();

    @Spec
    private CommandSpec spec;

    @Mixin
    private BenchOptions options;

    @Override
    public Integer call() {
        options.check();
        Progress progress = new Progress(spec.commandLine().getErr());
        progress.say("starting PostgreSQL, RabbitMQ, two beats and two workers");
        try (BenchServers servers = BenchServers.start();
                RecoveryTimes recovery = new RecoveryTimes(servers)) {
            Figures measured = new Figures("s");
            for (int round = 1; round <= options.rounds(); round++) {
                String label = "round " + round + "/" + options.rounds();
                FIGURES.forEach((name, take) -> measured.add(progress, label, name, take.applyAsDouble(recovery)));
            }
            options.print(new FigureReport("recovery", measured.all(), servers.versions()));
        }
        return 0;
    }

    private static Map<String, ToDoubleFunction<RecoveryTimes>> figures() {
        Map<String, ToDoubleFunction<RecoveryTimes>> figures = new LinkedHashMap<>();
        figures.put("worker killed, next start of its run", RecoveryTimes::workerCrash);
        figures.put("leading beat killed, next fire by the standby", RecoveryTimes::beatCrash);
        figures.put("RabbitMQ killed and back, next start", RecoveryTimes::brokerRestart);
        figures.put("PostgreSQL killed and back, next run done", RecoveryTimes::databaseRestart);
        return figures;
    }
}
