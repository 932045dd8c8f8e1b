package io.onbeat.beat.cli;

import io.onbeat.schedule.InvalidSchedule;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command has: help, {@code --json}, and errors of one line. */
abstract class CliCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print JSON, for scripts.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Override
    public final Integer call() throws Exception {
        Output output = new Output(spec.commandLine().getOut(), json);
        run(output);
        return 0;
    }

    /** Does the work. {@link UsageError} is for what the caller got wrong; any other exception is a failure of the work. */
    abstract void run(Output output) throws Exception;

    /** Reads an option's value, so that an error names the option. */
    static <T> T value(String option, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (InvalidSchedule e) {
            throw new UsageError(option + ": " + e.getMessage());
        }
    }
}
