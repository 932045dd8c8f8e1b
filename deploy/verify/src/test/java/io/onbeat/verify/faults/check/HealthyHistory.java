package io.onbeat.verify.faults.check;

import io.onbeat.beat.fire.FireLoop;
import io.onbeat.ledger.ClaimResult;
import io.onbeat.ledger.ClaimedRun;
import io.onbeat.ledger.Claims;
import io.onbeat.ledger.Failure;
import io.onbeat.ledger.Leases;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Recovery;
import io.onbeat.ledger.Settlement;
import io.onbeat.ledger.Settlements;
import io.onbeat.run.Attempt;
import io.onbeat.schedule.ScheduleFile;
import io.onbeat.verify.system.Books;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A short history that the ledger's own code writes: four minutes of four schedules, with a failure, a lost lease, a death, an
 * overlap of each kind. What beats, workers and tasks would do is done here by hand, and rightly.
 */
final class HealthyHistory {
    static final Instant START = Instant.parse("2026-07-14T02:00:30Z");
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final String SCHEDULES = """
            defaults: {retry: {max_attempts: 3, delays: [1s, 3s]}, misfire_grace: 60s}
            schedules:
              plain: {every: 1m, task: plain-effect, overlap: allow}
              once: {every: 1m, task: transaction-effect, overlap: allow}
              single: {every: 1m, task: plain-effect, overlap: skip}
              serial: {every: 1m, task: plain-effect, overlap: queue}
            """;

    private final Books books;
    private final Ledger ledger;
    private final FireLoop beat;
    private Instant now = START;

    HealthyHistory(Books books) throws IOException {
        this.books = books;
        this.ledger = books.ledger();
        this.beat = new FireLoop(ledger, "beat-1", Duration.ofSeconds(10), Duration.ZERO, entry -> {});
        Path file = Files.createTempFile("schedule", ".yaml");
        beat.submit(ScheduleFile.load(Files.writeString(file, SCHEDULES)));
        Files.delete(file);
    }

    /** The key of a schedule's fire in this minute, counted from 1. */
    static String key(String schedule, int minute) {
        return schedule + "@" + Instant.parse("2026-07-14T02:00:00Z").plus(Duration.ofMinutes(minute));
    }

    /** Up to here every fire is judged. */
    Instant end() {
        return now;
    }

    void write() throws SQLException {
        turnClock(Duration.ZERO);
        turnClock(Duration.ofSeconds(35));
        failOnceThenSucceed(key("plain", 1));
        transact(key("once", 1));
        ClaimedRun single = start(key("single", 1), 1);
        ClaimedRun serial = start(key("serial", 1), 1);
        turnClock(Duration.ofMinutes(1));
        loseLeaseThenSucceed(key("plain", 2));
        die(key("once", 2));
        succeed(single);
        succeed(serial);
        succeed(start(key("serial", 2), 1));
        turnClock(Duration.ofMinutes(1));
        for (String schedule : List.of("plain", "single", "serial")) {
            succeed(start(key(schedule, 3), 1));
        }
        transact(key("once", 3));
        turnClock(Duration.ofSeconds(10));
        books.execute("delete from outbox");
    }

    private void turnClock(Duration by) throws SQLException {
        now = now.plus(by);
        books.setClock(now);
        beat.pass();
    }

    private ClaimedRun start(String key, int attempt) throws SQLException {
        long id = books.number("select id from run where key = ?", key);
        Claims.Wish wish = new Claims.Wish(new Attempt(id, key, attempt), UUID.randomUUID());
        ClaimResult result =
                Claims.claim(ledger, "worker-1", LEASE, List.of(wish)).get(0);
        books.execute(
                "insert into verify.start (run_key, attempt, pid, started_at) values (?, ?, 4711, clock())",
                key,
                attempt);
        return ((ClaimResult.Claimed) result).run();
    }

    private void end(ClaimedRun run) {
        books.execute(
                "update verify.start set finished_at = clock() where run_key = ? and attempt = ?",
                run.attempt().runKey(),
                run.attempt().number());
    }

    private void succeed(ClaimedRun run) throws SQLException {
        end(run);
        Settlements.settle(ledger, List.of(Settlement.succeeded(run, Optional.empty())));
    }

    private void failOnceThenSucceed(String key) throws SQLException {
        ClaimedRun failed = start(key, 1);
        end(failed);
        Failure failure =
                new Failure(Failure.Kind.FAILED, "io.onbeat.verify.faults.tasks.Misfortune", "as it was asked for", "");
        Duration delay = Duration.ofSeconds(1);
        Settlements.settle(ledger, List.of(Settlement.retrying(failed, failure, delay, delay)));
        turnClock(Duration.ofSeconds(2));
        succeed(start(key, 2));
    }

    private void loseLeaseThenSucceed(String key) throws SQLException {
        start(key, 1);
        books.execute("update run set lease_until = clock() - interval '1 s' where key = ?", key);
        Map<?, ?> ended = ledger.transaction(connection -> Recovery.endLapsedLeases(connection, 1));
        if (ended.isEmpty()) {
            throw new IllegalStateException("the lease of " + key + " stands");
        }
        succeed(start(key, 2));
    }

    private void die(String key) throws SQLException {
        ClaimedRun run = start(key, 1);
        end(run);
        Settlements.settle(
                ledger, List.of(Settlement.dead(run, new Failure(Failure.Kind.FAILED, "Fatal", "for good", ""))));
    }

    private void transact(String key) throws SQLException {
        ClaimedRun run = start(key, 1);
        books.execute(
                "insert into verify.once (run_key, attempt, pid) values (?, ?, 4711)",
                key,
                run.attempt().number());
        end(run);
        ledger.transaction(connection -> Leases.succeed(connection, ledger.namespace(), run, null));
    }
}
