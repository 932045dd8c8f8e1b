package io.onbeat.verify.bench;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Many schedules that are all due in the same second, every minute. All times are the ledger's. */
final class Herd implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);
    private static final int SLOTS = 256;

    private final int size;
    private final Ledger ledger;
    private final OnbeatProcesses processes;
    private final BenchLedger bench;

    /** @param size how many schedules */
    Herd(BenchServers servers, int size) {
        this.size = size;
        this.ledger = Ledger.open(servers.ledger(2));
        this.processes = new OnbeatProcesses(servers.folder(), servers.environment(), Optional.empty());
        this.bench = new BenchLedger(ledger, processes);
        ledger.migrate();
        processes.startBeat(Folders.write(servers.folder().resolve("schedule.yaml"), schedules()));
        processes.startWorker(1, SLOTS);
        bench.await(
                "a beat leads and all schedules are in force",
                connection -> Lead.isHeldByABeat(connection)
                        && Sql.one(connection, "select count(*) = ? from schedule", row -> row.getBoolean(1), size));
    }

    /** Of the next minute's herd, in seconds after it was due. */
    Map<String, Double> next() {
        bench.await(
                "what was fired before is settled",
                connection -> Sql.one(connection, "select count(*) = 0 from run where open", row -> row.getBoolean(1)));
        long before = bench.count("select coalesce(max(id), 0) from run");
        Instant due = bench.ask(connection -> Sql.one(
                connection,
                "select date_trunc('minute', clock() + interval '62 s') as due",
                row -> Sql.instant(row, "due")));
        bench.await(
                "the next minute begins",
                LOOK_EVERY,
                connection -> Sql.one(connection, "select clock() >= ?", row -> row.getBoolean(1), due));
        // looks that cost next to nothing, since they are taken while the figure is
        bench.await("all of them are runs", LOOK_EVERY, connection -> written(connection, before));
        bench.await(
                "the outbox is empty",
                LOOK_EVERY,
                connection -> Sql.one(connection, "select not exists (select from outbox)", row -> row.getBoolean(1)));
        Instant confirmed = bench.ask(Ledger::now);
        bench.await(
                "all of them have succeeded",
                connection -> Sql.one(
                        connection,
                        "select count(*) = ? from run where id > ? and fire_at = ? and state = 'succeeded' and attempt = 1",
                        row -> row.getBoolean(1),
                        size,
                        before,
                        due));
        check(before, due);
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("due to last confirm", seconds(due, confirmed));
        figures.put("due to last start", seconds(due, last("started_at", before)));
        figures.put("due to last settled", seconds(due, last("finished_at", before)));
        return figures;
    }

    @Override
    public void close() {
        processes.close();
        ledger.close();
    }

    // by the sequence first, which is cheap, then by what is committed
    private boolean written(Connection connection, long before) throws SQLException {
        return Sql.one(connection, "select last_value - ? >= ? from run_id_seq", row -> row.getBoolean(1), before, size)
                && Sql.one(
                        connection,
                        "select count(*) >= ? from run where id > ?",
                        row -> row.getBoolean(1),
                        size,
                        before);
    }

    private Instant last(String column, long before) {
        return bench.ask(connection -> Sql.one(
                connection,
                "select max(" + column + ") as last from run where id > ?",
                row -> Sql.instant(row, "last"),
                before));
    }

    private void check(long before, Instant due) {
        long others = bench.ask(connection -> Sql.one(
                connection,
                "select count(*) + (select count(*) from skip) from run where id > ? and fire_at <> ?",
                row -> row.getLong(1),
                before,
                due));
        if (others > 0) {
            throw new BenchFailure(
                    "the figure is worth nothing: " + others + " runs of another minute, or skips, beside " + due);
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    private String schedules() {
        StringBuilder yaml = new StringBuilder("defaults: {overlap: allow, catch_up: all}\nschedules:\n");
        for (int i = 0; i < size; i++) {
            yaml.append(String.format(Locale.ROOT, "  herd-%06d: {cron: \"* * * * *\", task: noop}%n", i));
        }
        return yaml.toString();
    }
}
