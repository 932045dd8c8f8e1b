package io.onbeat.beat.cli;

import picocli.CommandLine.Command;

@Command(
        name = "dead",
        description = "Runs whose failures are exhausted: list them, run them again, or put them aside.",
        subcommands = {DeadListCommand.class, DeadReplayCommand.class, DeadDiscardCommand.class},
        footer = {"", "Example:", "  onbeat dead list --schedule flaky-sync"})
final class DeadCommand extends CommandGroup {}
