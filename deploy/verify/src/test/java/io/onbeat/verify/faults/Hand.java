package io.onbeat.verify.faults;

import io.onbeat.beat.fire.Backfill;
import io.onbeat.beat.fire.RunNow;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Somebody who starts runs by hand, each of them twice under one idempotency key, and now and then has the fires of the last
 * seconds backfilled, judged or not.
 */
final class Hand extends Steady {
    private static final int STEPS_TO_A_BACKFILL = 7;
    private static final Duration BACKFILLED = Duration.ofSeconds(20);

    private final Ledger ledger;
    private final RunNow runNow;
    private int count;

    Hand(Ledger ledger) {
        super("by hand");
        this.ledger = ledger;
        this.runNow = new RunNow(ledger);
    }

    @Override
    void step() throws SQLException {
        String key = "hand-" + ++count;
        for (int time = 0; time < 2; time++) {
            runNow.trigger(Load.BY_HAND, Optional.empty(), Optional.of(key), "faults");
        }
        if (count % STEPS_TO_A_BACKFILL == 0) {
            for (String name : Load.BACKFILLED) {
                backfill(name);
            }
        }
    }

    private void backfill(String name) throws SQLException {
        Schedule spec;
        Instant now;
        try (Connection connection = ledger.connection()) {
            spec = Schedule.fromJson(
                    name, Schedules.named(connection, List.of(name)).get(0).spec());
            now = Ledger.now(connection);
        }
        Backfill backfill = new Backfill(ledger, spec, Backfill.overlapOf(spec));
        backfill.run(backfill.fireTimes(now.minus(BACKFILLED), now, Integer.MAX_VALUE));
    }
}
