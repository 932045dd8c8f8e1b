package io.onbeat.verify.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onbeat bench micro}. */
@Command(
        name = "micro",
        description = {
            "Nanoseconds for the next fire time of a schedule, and for writing and reading a task message, by JMH.",
            "Takes about ten seconds for each round."
        },
        footer = {"", "Example:", "  onbeat bench micro --rounds 5 --json"})
final class MicroCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BenchOptions options;

    @Override
    public Integer call() throws RunnerException {
        options.check();
        new Progress(spec.commandLine().getErr()).say("measuring");
        Figures figures = new Figures("ns");
        for (RunResult result : run()) {
            String name = result.getParams().getBenchmark();
            String label = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
            Arrays.stream(iterations(result)).forEach(value -> figures.add(label, value));
        }
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        versions.put("java", Runtime.version().toString());
        options.print(new FigureReport("micro", figures.all(), versions));
        return 0;
    }

    private Collection<RunResult> run() throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include("\\.(" + FireTimeMicro.class.getSimpleName() + "|" + MessageMicro.class.getSimpleName()
                                + ")\\.")
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(options.rounds())
                        .measurementTime(TimeValue.seconds(1))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
    }

    private static double[] iterations(RunResult result) {
        return result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                .toArray();
    }
}
