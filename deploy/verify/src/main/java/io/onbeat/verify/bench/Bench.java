package io.onbeat.verify.bench;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code onbeat bench NAME}: measures Onbeat beside a reference, on servers of its own. */
@Command(
        name = "onbeat bench",
        description = "Measures Onbeat beside a reference, on servers of its own that are gone afterwards.",
        subcommands = {
            ThroughputCommand.class,
            HerdCommand.class,
            LatencyCommand.class,
            RecoveryCommand.class,
            MicroCommand.class
        },
        footer = {"", "Example:", "  onbeat bench throughput --rounds 5"})
public final class Bench implements Runnable {
    private static final int FAILED = 1;
    private static final int WRONG = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help; onbeat bench NAME --help tells more.")
    private boolean help;

    public static void main(String[] words) {
        PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        PrintWriter err = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
        int code = new CommandLine(new Bench())
                .setUsageHelpWidth(110)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(Bench::wrongWords)
                .setExecutionExceptionHandler(Bench::failed)
                .execute(words);
        out.flush();
        System.exit(code);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to measure: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static int wrongWords(ParameterException wrong, String[] words) {
        CommandLine command = wrong.getCommandLine();
        command.getErr()
                .println("onbeat bench: " + wrong.getMessage() + "; see "
                        + command.getCommandSpec().qualifiedName() + " --help");
        return WRONG;
    }

    private static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof RuntimeException && !(failure instanceof BenchFailure)) {
            failure.printStackTrace(command.getErr());
        }
        command.getErr().println("onbeat bench: " + failure.getMessage());
        return FAILED;
    }
}
