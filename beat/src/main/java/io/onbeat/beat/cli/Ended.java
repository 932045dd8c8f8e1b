package io.onbeat.beat.cli;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.run.RunState;
import io.onbeat.schedule.Durations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Follows a run until it has ended. */
final class Ended {
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);
    private static final Duration SELDOM = Duration.ofSeconds(1);

    private final Ledger ledger;

    Ended(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Looks ever less often. Ends with {@link Failed} when the limit has passed. */
    RunView await(String key, Optional<Duration> limit) throws SQLException, InterruptedException {
        long started = System.nanoTime();
        Duration pause = FIRST_LOOK;
        while (true) {
            RunView run = look(key);
            if (!run.state().open()) {
                return run;
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - started);
            if (limit.isPresent() && waited.compareTo(limit.get()) >= 0) {
                throw new Failed(key + " is still " + run.state().word() + " after " + Durations.format(limit.get())
                        + ": it goes on; onbeat run shows where it stands");
            }
            Duration left = limit.map(l -> l.minus(waited)).orElse(SELDOM);
            TimeUnit.NANOSECONDS.sleep((left.compareTo(pause) < 0 ? left : pause).toNanos());
            pause = pause.multipliedBy(2).compareTo(SELDOM) > 0 ? SELDOM : pause.multipliedBy(2);
        }
    }

    /** {@code succeeded}, {@code is dead}, {@code was cancelled}. */
    static String phrase(RunState ended) {
        return switch (ended) {
            case SKIPPED, CANCELLED -> "was " + ended.word();
            case DEAD -> "is dead";
            default -> ended.word();
        };
    }

    private RunView look(String key) throws SQLException {
        try (Connection connection = ledger.connection()) {
            return KnownRuns.get(connection, key);
        }
    }
}
