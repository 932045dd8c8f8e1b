package io.onbeat.verify.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--json",
            description =
                    "Print the result as one JSON object, as the last line: the first figure, with all of them in it.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Override
    public Integer call() {
        if (rounds < 1 || rounds > 1_000) {
            throw new ParameterException(spec.commandLine(), "--rounds " + rounds + " must be from 1 to 1000");
        }
        Progress progress = new Progress(spec.commandLine().getErr());
        progress.say("starting PostgreSQL, RabbitMQ, two beats and two workers");
        try (BenchServers servers = BenchServers.start();
                RecoveryTimes recovery = new RecoveryTimes(servers)) {
            Map<String, List<Double>> values = new LinkedHashMap<>();
            for (int round = 1; round <= rounds; round++) {
                for (Map.Entry<String, ToDoubleFunction<RecoveryTimes>> figure : FIGURES.entrySet()) {
                    double seconds = figure.getValue().applyAsDouble(recovery);
                    values.computeIfAbsent(figure.getKey(), name -> new ArrayList<>())
                            .add(seconds);
                    progress.say(String.format(
                            Locale.ROOT, "round %d/%d: %s: %.2f s", round, rounds, figure.getKey(), seconds));
                }
            }
            List<Figure> figures = values.entrySet().stream()
                    .map(each -> new Figure(each.getKey(), "s", each.getValue()))
                    .toList();
            new FigureReport("recovery", figures, servers.versions())
                    .print(spec.commandLine().getOut(), json);
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
