package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.schedule.Durations;
import io.onbeat.schedule.Instants;
import io.onbeat.schedule.InvalidSchedule;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The start of a look back: an instant, or how long ago by the ledger's clock. */
record Since(Optional<Instant> instant, Duration ago) {
    static Since parse(String text) {
        if (text.matches("\\d{4}-.*")) {
            return new Since(Optional.of(Instants.parse(text)), Duration.ZERO);
        }
        try {
            return new Since(Optional.empty(), Durations.parse(text.replaceFirst("\\s+ago$", "")));
        } catch (InvalidSchedule neither) {
            throw new InvalidSchedule("\"" + text
                    + "\" is neither an instant nor a duration: write 2026-07-14T00:00:00Z, or 1h for an hour ago");
        }
    }

    Instant on(Ledger ledger) throws SQLException {
        return instant.isPresent() ? instant.get() : ledger.now().minus(ago);
    }
}
