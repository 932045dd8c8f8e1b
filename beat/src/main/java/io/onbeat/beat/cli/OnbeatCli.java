package io.onbeat.beat.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command line: {@code onbeat WORD …}. A new command is a class beside this one and its name in the list below. */
@Command(
        name = "onbeat",
        description = "Scheduled tasks that are never missed in silence and never done twice.",
        subcommands = {
            BeatCommand.class,
            CheckCommand.class,
            SchemaCommand.class,
            NextCommand.class,
            ReloadCommand.class,
            SchedulesCommand.class,
            RunsCommand.class,
            RunCommand.class,
            TriggerCommand.class,
            CancelCommand.class,
            WhyCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            SkipCommand.class,
            BackfillCommand.class,
            DeadCommand.class,
            WorkersCommand.class,
            QueuesCommand.class,
            OnceCommand.class,
            LockCommand.class
        },
        footer = {
            "",
            "The launcher's own words: onbeat up (run all of it on this machine), onbeat test, onbeat bench.",
            "",
            "Example:",
            "  onbeat next --cron \"0 2 * * *\" --zone Asia/Shanghai --count 3"
        })
public final class OnbeatCli extends CommandGroup {
    // what commands print is their result, and nothing else
    private static final String LOGGING = "logback.configurationFile";

    // they run a command of the caller's
    private static final Set<String> HOLDERS = Set.of("lock", "once");

    private final Map<String, String> environment;

    private OnbeatCli(Map<String, String> environment) {
        this.environment = environment;
    }

    public static void main(String[] args) {
        PrintWriter out = utf8(System.out);
        PrintWriter err = utf8(System.err);
        if (args.length == 0 || !args[0].equals("beat")) {
            System.setProperty(LOGGING, "io/onbeat/beat/cli/silent.xml");
        }
        int code = run(System.getenv(), out, err, args);
        err.flush();
        // what could not be printed was not told
        boolean told = !out.checkError();
        System.exit(told || code != 0 ? code : 1);
    }

    /** Runs one command and gives its exit code: 0 done, 1 failed, 2 asked wrongly. */
    public static int run(Map<String, String> environment, PrintWriter out, PrintWriter err, String... args) {
        for (String word : args) {
            if (word.indexOf('\uFFFD') >= 0) {
                err.println("onbeat: the word \"" + Printable.line(word)
                        + "\" has lost letters, since this process does not run" + " in UTF-8: set LC_ALL=C.UTF-8");
                return 2;
            }
        }
        if (args.length > 2 && HOLDERS.contains(args[0]) && !List.of(args).contains("--")) {
            // else the words of the command that look like options would be taken for ours
            err.println("onbeat: put the command behind --, as in: onbeat " + args[0] + " " + Printable.line(args[1])
                    + " -- COMMAND");
            return OneLineErrors.WRONG;
        }
        return commandLine(environment)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(OneLineErrors::wrongWords)
                .setExecutionExceptionHandler(OneLineErrors::failure)
                .execute(args);
    }

    static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new OnbeatCli(environment))
                // "@hourly" is a cron, not a file with arguments
                .setExpandAtFiles(false)
                .setUsageHelpWidth(110);
    }

    /** The settings of the process that a command was called in. */
    static Map<String, String> environment(CommandSpec command) {
        return ((OnbeatCli) command.root().userObject()).environment;
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
    }
}
