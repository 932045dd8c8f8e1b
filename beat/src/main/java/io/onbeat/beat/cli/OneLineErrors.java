package io.onbeat.beat.cli;

import io.onbeat.config.ConfigurationErrors;
import io.onbeat.schedule.InvalidSchedule;
import io.onbeat.schedule.Nearest;
import io.onbeat.schedule.Problem;
import io.onbeat.schedule.ScheduleErrors;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Whatever goes wrong is told in exactly one line on the error stream. */
final class OneLineErrors {
    static final int FAILED = 1;
    static final int WRONG = 2;

    private OneLineErrors() {}

    /** Words that no command line is made of. */
    static int wrongWords(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        String help = "; see " + command.getCommandSpec().qualifiedName() + " --help";
        return print(command, explain(wrong, command) + help, WRONG);
    }

    static int failure(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ScheduleErrors errors) {
            return print(command, first(errors.problems()), WRONG);
        }
        if (failure instanceof UsageError
                || failure instanceof InvalidSchedule
                || failure instanceof ConfigurationErrors) {
            return print(command, failure.getMessage(), WRONG);
        }
        String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        return print(command, message, FAILED);
    }

    static String first(List<Problem> problems) {
        int more = problems.size() - 1;
        return problems.get(0) + (more == 0 ? "" : " (and " + more + " more: onbeat check lists them)");
    }

    private static String explain(ParameterException wrong, CommandLine command) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            if (word.startsWith("-")) {
                return "unknown option \"" + word + "\""
                        + Nearest.hint(
                                word, command.getCommandSpec().optionsMap().keySet());
            }
            return "unknown word \"" + word + "\""
                    + Nearest.hint(word, command.getSubcommands().keySet());
        }
        return wrong.getMessage();
    }

    private static int print(CommandLine command, String message, int code) {
        command.getErr().println("onbeat: " + Printable.line(message.strip().replaceAll("\\s*\\R\\s*", "; ")));
        command.getErr().flush();
        return code;
    }
}
