package io.onbeat.beat.cli;

import picocli.CommandLine.Command;

@Command(
        name = "pause",
        description = "Pause a schedule: what is due from now on becomes a skip, until onbeat resume.",
        footer = {"", "Example:", "  onbeat pause settle-points"})
final class PauseCommand extends PauseSwitch {
    PauseCommand() {
        super(true);
    }
}
