package io.onbeat.verify.faults;

import io.onbeat.beat.fire.RunNow;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import java.util.Optional;

/** Somebody who starts runs by hand, each of them twice under one idempotency key. */
final class Hand extends Steady {
    private final RunNow runNow;
    private int count;

    Hand(Ledger ledger) {
        super("by hand");
        this.runNow = new RunNow(ledger);
    }

    @Override
    void step() throws SQLException {
        String key = "hand-" + ++count;
        for (int time = 0; time < 2; time++) {
            runNow.trigger(Load.BY_HAND, Optional.empty(), Optional.of(key), "faults");
        }
    }
}
