package io.onbeat.ledger;

import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Writes runs for tests and claims them, without a beat or a worker. */
public final class LedgerRuns {
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final Ledger ledger;

    public LedgerRuns(Ledger ledger) {
        this.ledger = ledger;
    }

    /** A queued run of task {@code noop} in queue {@code default}; three attempts. */
    public static NewRun run(String key) {
        return new NewRun(
                key,
                Optional.empty(),
                Optional.empty(),
                "noop",
                "default",
                Origin.OUTSIDE,
                Instant.parse("2026-07-14T02:00:00Z"),
                "{}",
                Duration.ofMinutes(5),
                "{\"max_attempts\":3}",
                3,
                false,
                false,
                Optional.empty(),
                Optional.empty());
    }

    /** @return the messages' attempts 1, in the order of the keys */
    public List<Attempt> insert(String... keys) throws SQLException {
        List<NewRun> runs = new ArrayList<>();
        for (String key : keys) {
            runs.add(run(key));
        }
        Map<String, Long> ids = ledger.transaction(connection -> Runs.insert(connection, runs));
        List<Attempt> attempts = new ArrayList<>();
        for (String key : keys) {
            attempts.add(new Attempt(ids.get(key), key, 1));
        }
        return attempts;
    }

    public ClaimResult claim(Attempt attempt) throws SQLException {
        return claim(attempt, UUID.randomUUID());
    }

    public ClaimResult claim(Attempt attempt, UUID token) throws SQLException {
        return Claims.claim(ledger, "w1", LEASE, List.of(new Claims.Wish(attempt, token)))
                .get(0);
    }

    public ClaimedRun claimed(Attempt attempt) throws SQLException {
        return ((ClaimResult.Claimed) claim(attempt)).run();
    }

    public static Attempt next(Attempt attempt) {
        return new Attempt(attempt.runId(), attempt.runKey(), attempt.number() + 1);
    }

    public static Failure failure(String message) {
        return Failure.of(Failure.Kind.FAILED, new IllegalStateException(message));
    }
}
