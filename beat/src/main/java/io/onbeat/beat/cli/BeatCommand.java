package io.onbeat.beat.cli;

import io.onbeat.beat.BeatMain;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
        name = "beat",
        description = "Run a beat: fire what is due until told to stop. Its settings come from the environment.",
        footer = {"", "Example:", "  ONBEAT_SCHEDULES=deploy/examples/schedule.yaml onbeat beat"})
final class BeatCommand extends HelpedCommand implements Callable<Integer> {
    @Override
    public Integer call() throws InterruptedException {
        return BeatMain.run(OnbeatCli.environment(spec));
    }
}
