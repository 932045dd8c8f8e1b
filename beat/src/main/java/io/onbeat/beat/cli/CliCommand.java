package io.onbeat.beat.cli;

import io.onbeat.schedule.InvalidSchedule;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** A command that gives an answer, for people or with {@code --json}, or an error of one line. */
abstract class CliCommand extends HelpedCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print JSON, for scripts.")
    private boolean json;

    @Override
    public final Integer call() throws Exception {
        Output output = new Output(spec.commandLine().getOut(), json);
        run(output);
        return 0;
    }

    final Map<String, String> environment() {
        return OnbeatCli.environment(spec);
    }

    /**
     * Does the work. {@link UsageError} is for what the caller got wrong; any other exception is a failure of the work.
     */
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
