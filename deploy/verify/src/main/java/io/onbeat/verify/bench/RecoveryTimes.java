package io.onbeat.verify.bench;

import io.onbeat.ledger.Cancellations;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Sql;
import io.onbeat.run.Origin;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long it takes until work goes on after a process was killed, with the default settings: two beats, two workers, a
 * schedule that is due every second. All times are the ledger's.
 */
final class RecoveryTimes implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String SCHEDULES =
            "schedules: {tick: {every: 1s, task: noop, overlap: allow, catch_up: all}}\n";
    private static final Map<String, String> WORKER = Map.of("ONBEAT_ALLOWED_TASKS", "*,exec");

    private final BenchServers servers;
    private final Ledger ledger;
    private final OnbeatProcesses processes;
    private final Path schedules;
    private int started;

    RecoveryTimes(BenchServers servers) {
        this.servers = servers;
        this.ledger = Ledger.open(servers.ledger(2));
        this.processes = new OnbeatProcesses(servers.folder(), servers.environment(), Optional.empty());
        this.schedules = Folders.write(servers.folder().resolve("schedule.yaml"), SCHEDULES);
        ledger.migrate();
        for (int i = 0; i < 2; i++) {
            startBeat();
            startWorker();
        }
        awaitFlow();
    }

    /** Kills the worker of a long run; until that run's next attempt starts. */
    double workerCrash() {
        String key = "long-" + ++started;
        ask(connection -> startLong(connection, key));
        Instant firstStart =
                await("the long run starts", "select started_at from run where key = ? and attempt = 1", key);
        processes.kill(ask(connection ->
                Sql.one(connection, "select lease_owner from run where key = ?", row -> row.getString(1), key)));
        Instant killed = now();
        Instant next =
                await("its next attempt starts", "select started_at from run where key = ? and attempt = 2", key);
        if (!killed.isAfter(firstStart)) {
            throw new BenchFailure("the ledger's clock went back during the measurement: measure again");
        }
        ask(connection -> Cancellations.cancel(connection, key));
        await("the long run has ended", "select finished_at from run where key = ? and not open", key);
        startWorker();
        awaitFlow();
        return seconds(killed, next);
    }

    /** Kills the beat that leads; until the other one has fired. */
    double beatCrash() {
        String leader = ask(connection ->
                Sql.one(connection, "select owner from leader where lease_until > clock()", row -> row.getString(1)));
        processes.kill(leader);
        Instant killed = now();
        long last = ask(connection -> Sql.one(connection, "select max(id) from run", row -> row.getLong(1)));
        Instant next = await("the standby fires", "select min(queued_at) from run where id > ?", last);
        startBeat();
        awaitFlow();
        return seconds(killed, next);
    }

    /** Kills and restarts the broker; until a run is started, counted from when the broker answers again. */
    double brokerRestart() {
        servers.rabbit().kill();
        servers.rabbit().start();
        Instant back = now();
        Instant next = await("a run starts", "select min(started_at) from run where started_at > ?", back);
        awaitFlow();
        return seconds(back, next);
    }

    /** Kills and restarts the database; until a run that was fired after that has succeeded, counted from when it answers again. */
    double databaseRestart() {
        servers.postgres().kill();
        servers.postgres().restart();
        Instant back = now();
        Instant next = await(
                "a new run succeeds",
                "select min(finished_at) from run where queued_at > ? and state = 'succeeded'",
                back);
        awaitFlow();
        return seconds(back, next);
    }

    @Override
    public void close() {
        processes.close();
        ledger.close();
    }

    private void startBeat() {
        processes.startBeat("beat-" + ++started, schedules);
    }

    private void startWorker() {
        processes.startWorker("worker-" + ++started, WORKER);
    }

    // both beats are up, a run of this moment is done, and nothing else is left to do
    private void awaitFlow() {
        Instant from = now();
        await("all is done that is due", """
                select clock() from leader
                where lease_until > clock() and not exists (select from outbox where try_at <= clock())
                      and (select count(*) from worker where state = 'up' and seen_at > ?) = 2
                      and exists (select from run where fire_at > ? and state = 'succeeded')
                      and not exists (select from run where open and fire_at < ?)""", from, from, from);
    }

    private static boolean startLong(Connection connection, String key) throws SQLException {
        NewRun run = new NewRun(
                key,
                Optional.empty(),
                Optional.empty(),
                "exec",
                "default",
                Origin.MANUAL,
                Instant.EPOCH,
                "{\"command\": [\"sleep\", \"600\"]}",
                Duration.ofMinutes(15),
                "{\"max_attempts\":5}",
                5,
                false,
                false,
                Optional.empty(),
                Optional.empty());
        connection.setAutoCommit(false);
        Outbox.add(
                connection,
                Outbox.Kind.TASK,
                Runs.insert(connection, List.of(run)).values());
        connection.commit();
        connection.setAutoCommit(true);
        return true;
    }

    private Instant now() {
        return await("the ledger answers", "select clock()");
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    private <T> T ask(Question<T> question) {
        try (Connection connection = ledger.connection()) {
            return question.ask(connection);
        } catch (SQLException failed) {
            throw new BenchFailure("the ledger does not answer: " + failed.getMessage(), failed);
        }
    }

    /** Asks until there is an answer; a ledger that is away is asked again. */
    private Instant await(String what, String sql, Object... parameters) {
        long until = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() - until < 0) {
            try (Connection connection = ledger.connection()) {
                Optional<Instant> answer =
                        Sql.list(connection, sql, row -> Optional.ofNullable(row.getTimestamp(1)), parameters).stream()
                                .flatMap(Optional::stream)
                                .map(java.sql.Timestamp::toInstant)
                                .findFirst();
                if (answer.isPresent()) {
                    return answer.get();
                }
            } catch (SQLException away) {
                // it may be starting
            }
            processes.checkAlive();
            pause();
        }
        throw new BenchFailure("waited " + LIMIT.toSeconds() + " s in vain until " + what);
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_EVERY.toMillis());
        } catch (InterruptedException stopped) {
            throw new BenchFailure("interrupted", stopped);
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
