package io.onbeat.beat.fire;

import io.onbeat.ledger.Audit;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Schedule;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Pauses, resumes, skips the next fire. Whatever was due before the change is judged as it stood then, in the same
 * transaction: so a pause takes no fire back, and resuming floods nothing.
 */
public final class Pausing {
    private final Ledger ledger;

    public Pausing(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @return false when the schedule was so already; empty when there is no such schedule */
    public Optional<Boolean> pause(String name, boolean pause, String actor) throws SQLException {
        return ledger.transaction(connection -> {
            Optional<Schedules.Row> row = OwedFires.lock(connection, name);
            if (row.isEmpty()) {
                return Optional.empty();
            }
            boolean change = row.get().pausedAt().isPresent() != pause;
            if (change) {
                Schedules.pause(connection, row.get().id(), pause);
                Audit.record(connection, actor, pause ? "pause" : "resume", name, null);
            }
            return Optional.of(change);
        });
    }

    /** What the next fires of a schedule are; empty when there is no such schedule. */
    public record Skipped(Optional<Instant> last) {}

    /**
     * Has the next {@code count} fires skipped, counted from now or from the last that was skipped by hand.
     *
     * @return the last of them; none where fewer fires are left
     */
    public Optional<Skipped> skipNext(String name, int count, String actor) throws SQLException {
        return ledger.transaction(connection -> {
            Optional<Schedules.Row> row = OwedFires.lock(connection, name);
            if (row.isEmpty()) {
                return Optional.empty();
            }
            Schedule spec = Schedule.fromJson(name, row.get().spec());
            Instant now = Ledger.now(connection).truncatedTo(ChronoUnit.MILLIS);
            Instant after = row.get().skipTo().filter(last -> last.isAfter(now)).orElse(now);
            Optional<Instant> last = Optional.of(after);
            for (int i = 0; i < count && last.isPresent(); i++) {
                last = spec.fireTimes().next(last.get());
            }
            if (last.isPresent()) {
                Schedules.skipTo(connection, row.get().id(), last.get());
                Audit.record(connection, actor, "skip", name, null);
            }
            return Optional.of(new Skipped(last));
        });
    }
}
