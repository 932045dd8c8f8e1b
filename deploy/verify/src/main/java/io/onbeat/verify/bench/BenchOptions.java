package io.onbeat.verify.bench;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every benchmark can be told. */
final class BenchOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--json", description = "Print the result as one JSON object, as the last line.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    int rounds() {
        return rounds;
    }

    void check() {
        check("--rounds", rounds, 1, 1_000);
    }

    void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " " + value + " must be from " + least + " to " + most);
        }
    }

    void print(FigureReport report) {
        report.print(spec.commandLine().getOut(), json);
    }

    void print(Report report) {
        report.print(spec.commandLine().getOut(), json);
    }
}
