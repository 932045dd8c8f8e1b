package io.onbeat.beat.fire;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges all that schedules owe up to an instant, within a transaction that is about to change them. */
final class OwedFires {
    private static final int BATCH = 1_000;

    private OwedFires() {}

    /** Locks the row of a schedule, with all judged that is due by now; empty when there is no such schedule. */
    static Optional<Schedules.Row> lock(Connection connection, String name) throws SQLException {
        Optional<Schedules.Row> row = Schedules.lock(connection, name);
        if (row.isEmpty()) {
            return row;
        }
        Schedule spec = Schedule.fromJson(name, row.get().spec());
        if (!spec.enabled()) {
            return row;
        }
        Instant now = Ledger.now(connection).truncatedTo(ChronoUnit.MILLIS);
        judge(connection, List.of(ActiveSchedule.of(row.get(), spec)), now);
        return Schedules.lock(connection, name);
    }

    static void judge(Connection connection, List<ActiveSchedule> schedules, Instant now) throws SQLException {
        List<ActiveSchedule> owing = schedules.stream()
                .filter(schedule -> schedule.watermark().isBefore(now))
                .toList();
        while (!owing.isEmpty()) {
            List<Judgement> batch = owing.stream()
                    .limit(BATCH)
                    .map(schedule -> Judge.judge(schedule, now, BATCH))
                    .toList();
            FireTransaction.write(connection, batch);
            List<ActiveSchedule> rest = new ArrayList<>();
            batch.stream()
                    .filter(judgement -> !judgement.complete())
                    .forEach(judgement -> rest.add(judgement.schedule().at(judgement.to())));
            rest.addAll(owing.subList(batch.size(), owing.size()));
            owing = rest;
        }
    }
}
