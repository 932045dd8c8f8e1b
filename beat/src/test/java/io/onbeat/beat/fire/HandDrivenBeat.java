package io.onbeat.beat.fire;

import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.TestLedger;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.schedule.ScheduleSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A beat without threads: a test turns the ledger's clock, which stands still in between, and lets it make one pass. */
final class HandDrivenBeat {
    private final FireLoop loop;
    private final List<Outbox.Entry> handedOver = new ArrayList<>();

    HandDrivenBeat(TestLedger ledger, String name) {
        loop = new FireLoop(ledger.ledger(), name, Duration.ofSeconds(10), Duration.ZERO, handedOver::add, () -> 0);
    }

    HandDrivenBeat with(String yaml) {
        loop.submit(parsed(yaml));
        return this;
    }

    static ScheduleSet parsed(String yaml) {
        try {
            Path file = Files.createTempFile("schedule", ".yaml");
            Files.writeString(file, yaml);
            ScheduleSet schedules = ScheduleFile.load(file);
            Files.delete(file);
            return schedules;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    FireLoop.Pass pass() {
        try {
            return loop.pass();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    FireLoop loop() {
        return loop;
    }

    List<Outbox.Entry> handedOver() {
        return handedOver;
    }
}
