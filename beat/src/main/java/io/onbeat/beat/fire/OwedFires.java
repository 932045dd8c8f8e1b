package io.onbeat.beat.fire;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Judges all that schedules owe up to an instant, within a transaction that is about to change them. */
final class OwedFires {
    private static final int BATCH = 1_000;

    private OwedFires() {}

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
