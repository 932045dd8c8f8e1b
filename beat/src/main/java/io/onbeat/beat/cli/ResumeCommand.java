package io.onbeat.beat.cli;

import picocli.CommandLine.Command;

@Command(
        name = "resume",
        description =
                "Resume a paused schedule. It goes on with its next fire time; what was due meanwhile stays skipped.",
        footer = {"", "Example:", "  onbeat resume settle-points"})
final class ResumeCommand extends PauseSwitch {
    ResumeCommand() {
        super(false);
    }
}
