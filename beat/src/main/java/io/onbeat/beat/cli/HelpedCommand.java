package io.onbeat.beat.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command has: help, and exit codes that mean the same. */
@Command(
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it could not be done, or it ended badly",
            "2:asked wrongly: a wrong word, value, file or setting"
        })
abstract class HelpedCommand {
    @Spec
    CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;
}
