package io.onbeat.beat.fire;

import io.onbeat.ledger.Audit;
import io.onbeat.ledger.History;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.Sql;
import io.onbeat.run.Origin;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Starts a run of a schedule by hand. It takes the same path as a fire: one key, judged for overlap, by way of the outbox. */
public final class RunNow {
    private final Ledger ledger;

    public RunNow(Ledger ledger) {
        this.ledger = ledger;
    }

    /** What became of the wish. */
    public sealed interface Outcome {
        /** A new run waits to be started. */
        record Queued(String key) implements Outcome {}

        /** There is a run under this key already. */
        record AlreadyThere(RunView run) implements Outcome {}

        /** The schedule allows no overlap, and a run of it is active. */
        record Overlapping(String activeKey) implements Outcome {}

        record NoSuchSchedule(String name, List<String> names) implements Outcome {}

        /** The idempotency key cannot be used with a schedule that runs once a period. */
        record KeyNotAllowed(String uniqueBy) implements Outcome {}
    }

    /**
     * Asks for a run.
     *
     * @param args JSON object text, in place of the schedule's own
     * @param idempotencyKey asking twice with the same one starts one run
     */
    public Outcome trigger(String name, Optional<String> args, Optional<String> idempotencyKey, String actor)
            throws SQLException {
        return ledger.transaction(connection -> {
            Optional<Schedules.Row> row = Schedules.lock(connection, name);
            if (row.isEmpty()) {
                return new Outcome.NoSuchSchedule(name, names(connection));
            }
            Schedule spec = Schedule.fromJson(name, row.get().spec());
            if (idempotencyKey.isPresent() && spec.policy().uniqueBy().isPresent()) {
                return new Outcome.KeyNotAllowed(spec.policy().uniqueBy().get().name());
            }
            Instant now = Ledger.now(connection);
            RunKey key = key(spec, now, idempotencyKey);
            Optional<RunView> there = History.run(connection, key.value());
            if (there.isPresent()) {
                return new Outcome.AlreadyThere(there.get());
            }
            int id = row.get().id();
            Optional<Runs.Active> active =
                    Optional.ofNullable(Runs.active(connection, Set.of(id)).get(id));
            Instant fireTime = now.truncatedTo(ChronoUnit.SECONDS);
            if (!(Verdicts.afterOverlap(List.of(new Verdict.Run(fireTime, false)), spec, active, Periods.none())
                            .get(0)
                    instanceof Verdict.Run run)) {
                return new Outcome.Overlapping(activeKey(connection, id));
            }
            HandMade.write(
                    connection,
                    List.of(HandMade.run(
                            spec,
                            id,
                            key,
                            Origin.MANUAL,
                            fireTime,
                            args.orElse(spec.args()),
                            spec.policy().overlap(),
                            run.waiting())));
            Audit.record(connection, actor, "trigger", key.value(), args.orElse(null));
            return new Outcome.Queued(key.value());
        });
    }

    private static RunKey key(Schedule spec, Instant now, Optional<String> idempotencyKey) {
        return spec.policy()
                .uniqueBy()
                .map(unique -> RunKey.of(spec, now))
                .orElseGet(() -> RunKey.manual(
                        spec.name(),
                        idempotencyKey.orElseGet(() -> UUID.randomUUID().toString())));
    }

    private static String activeKey(Connection connection, int scheduleId) throws SQLException {
        return Sql.one(
                connection,
                "select key from run where schedule_id = ? and open order by id limit 1",
                row -> row.getString(1),
                scheduleId);
    }

    private static List<String> names(Connection connection) throws SQLException {
        return Schedules.all(connection).stream()
                .filter(row -> !row.removed())
                .map(Schedules.Row::name)
                .toList();
    }
}
