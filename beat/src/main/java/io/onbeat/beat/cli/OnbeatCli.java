package io.onbeat.beat.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: {@code onbeat WORD …}. A new command is a class beside this one and its name in the list below. */
@Command(
        name = "onbeat",
        description = "Scheduled tasks that are never missed in silence and never done twice.",
        subcommands = {BeatCommand.class, CheckCommand.class, NextCommand.class},
        footer = {"", "Example:", "  onbeat next --cron \"0 2 * * *\" --zone Asia/Shanghai --count 3"})
public final class OnbeatCli implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help; onbeat WORD --help tells more.")
    private boolean help;

    public static void main(String[] args) {
        PrintWriter out = utf8(System.out);
        PrintWriter err = utf8(System.err);
        int code = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(code);
    }

    /** Runs one command and gives its exit code: 0 done, 1 failed, 2 asked wrongly. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new OnbeatCli())
                // "@hourly" is a cron, not a file with arguments
                .setExpandAtFiles(false)
                .setUsageHelpWidth(110)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(OneLineErrors::wrongWords)
                .setExecutionExceptionHandler(OneLineErrors::failure)
                .execute(args);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "give a command: " + String.join(", ", spec.subcommands().keySet()));
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }
}
