package io.onbeat.beat.cli;

import picocli.CommandLine.ParameterException;

/** A word that needs another one behind it. */
abstract class CommandGroup extends HelpedCommand implements Runnable {
    @Override
    public final void run() {
        throw new ParameterException(
                spec.commandLine(),
                "give a command: " + String.join(", ", spec.subcommands().keySet()));
    }
}
