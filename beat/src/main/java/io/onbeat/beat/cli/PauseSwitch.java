package io.onbeat.beat.cli;

import io.onbeat.beat.fire.Pausing;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import picocli.CommandLine.Parameters;

/** Pauses or resumes; doing it twice changes nothing and is no mistake. */
abstract class PauseSwitch extends LedgerCommand {
    private final boolean pause;

    @Parameters(index = "0", paramLabel = "NAME", description = "The schedule.")
    private String name;

    PauseSwitch(boolean pause) {
        this.pause = pause;
    }

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        boolean changed =
                new Pausing(ledger).pause(name, pause, actor()).orElseThrow(() -> KnownSchedules.missing(ledger, name));
        String state = pause ? "paused" : "resumed";
        output.line(changed ? name + " is " + state : name + " was " + (pause ? "paused" : "not paused") + " already");
        output.answer(new Fields()
                .add("schedule", name)
                .add("paused", pause)
                .add("changed", changed)
                .values());
    }
}
