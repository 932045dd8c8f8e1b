package io.onbeat.verify.bench;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Sql;
import io.onbeat.run.Origin;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * How long a trigger waits: 200 a second, spread out, each in a transaction of its own as {@code onbeat trigger} writes it, two
 * workers; and again while a second queue of these workers has more to do than they can. All times are the ledger's.
 */
final class Latency implements AutoCloseable {
    private static final int TRIGGERS_A_SECOND = 200;
    private static final int TRIGGERING = 4;
    private static final int WORKERS = 2;
    private static final int BUSY_SLOTS = 8;
    /** Each of these slots has 20 such runs to do in a second. */
    private static final String BUSY_ARGS = "{\"statements\": [\"select pg_sleep(0.05)\"]}";

    private static final int BUSY_A_SECOND = WORKERS * BUSY_SLOTS * 20;
    private static final int BATCH = 1_000;

    private final int seconds;
    private final Ledger ledger;
    private final OnbeatProcesses processes;
    private final BenchLedger bench;
    private final AtomicInteger written = new AtomicInteger();

    /** @param seconds that each part of a round takes */
    Latency(BenchServers servers, int seconds) {
        this.seconds = seconds;
        this.ledger = Ledger.open(servers.ledger(TRIGGERING + 2));
        this.processes = new OnbeatProcesses(servers.folder(), servers.environment(), Optional.empty());
        this.bench = new BenchLedger(ledger, processes);
        ledger.migrate();
        processes.startBeat(Folders.write(servers.folder().resolve("schedule.yaml"), "schedules: {}\n"));
        for (int number = 1; number <= WORKERS; number++) {
            processes.startWorker("worker-" + number, Map.of("ONBEAT_QUEUES", "default:64,busy:" + BUSY_SLOTS));
        }
        bench.await("a beat leads", Lead::isHeldByABeat);
        bench.await(
                "the workers are up",
                connection -> Sql.one(
                        connection,
                        "select count(*) = ? from worker where state = 'up'",
                        row -> row.getBoolean(1),
                        WORKERS));
    }

    /** By what was measured, in milliseconds. */
    Map<String, Double> quiet() {
        return triggers("");
    }

    Map<String, Double> besideABusyQueue() {
        queueBusy(BUSY_A_SECOND * (seconds + 5));
        bench.await(
                "the busy queue is at work",
                connection -> Sql.one(
                        connection,
                        "select not exists (select from outbox) and count(*) > 0 from run where queue = 'busy' and not open",
                        row -> row.getBoolean(1)));
        Map<String, Double> figures = triggers("busy beside it: ");
        if (bench.count("select count(*) from run where open and queue = 'busy'") == 0) {
            throw new BenchFailure("the busy queue was empty before the end: this machine does more than was thought");
        }
        bench.await(
                "the busy queue is empty",
                connection -> Sql.one(connection, "select count(*) = 0 from run where open", row -> row.getBoolean(1)));
        return figures;
    }

    @Override
    public void close() {
        processes.close();
        ledger.close();
    }

    private Map<String, Double> triggers(String label) {
        long before = bench.count("select coalesce(max(id), 0) from run");
        trigger();
        bench.await(
                "every triggered run has succeeded",
                connection -> Sql.one(
                        connection,
                        "select count(*) = ? from run where id > ? and queue = 'default' and state = 'succeeded' and attempt = 1",
                        row -> row.getBoolean(1),
                        TRIGGERS_A_SECOND * seconds,
                        before));
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.putAll(percentiles(label + "trigger to start", "started_at - queued_at", before));
        figures.putAll(percentiles(label + "start to settled", "finished_at - started_at", before));
        return figures;
    }

    // the trigger's own commit is part of it: its row has the time at which it was written
    private Map<String, Double> percentiles(String label, String span, long before) {
        return bench.ask(connection -> Sql.one(
                connection,
                """
                select percentile_cont(0.5) within group (order by ms) as p50,
                       percentile_cont(0.99) within group (order by ms) as p99, max(ms) as most
                from (select 1000 * extract(epoch from %s)::float8 as ms
                      from run where id > ? and queue = 'default') as run""".formatted(span),
                row -> {
                    Map<String, Double> figures = new LinkedHashMap<>();
                    figures.put(label + ", p50", row.getDouble("p50"));
                    figures.put(label + ", p99", row.getDouble("p99"));
                    figures.put(label + ", max", row.getDouble("most"));
                    return figures;
                },
                before));
    }

    private void trigger() {
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(TRIGGERING);
        List<ScheduledFuture<?>> triggers = new ArrayList<>();
        try {
            long every = TimeUnit.SECONDS.toNanos(1) / TRIGGERS_A_SECOND;
            for (int i = 0; i < TRIGGERS_A_SECOND * seconds; i++) {
                triggers.add(threads.schedule(
                        () -> write(List.of(run("default", "noop", "{}"))), every * i, TimeUnit.NANOSECONDS));
            }
            for (ScheduledFuture<?> each : triggers) {
                each.get();
            }
        } catch (ExecutionException failed) {
            throw new BenchFailure("a trigger failed: " + failed.getCause().getMessage(), failed);
        } catch (InterruptedException stopped) {
            throw new BenchFailure("interrupted", stopped);
        } finally {
            threads.shutdownNow();
        }
    }

    private void queueBusy(int runs) {
        for (int i = 0; i < runs; i += BATCH) {
            write(IntStream.range(0, Math.min(BATCH, runs - i))
                    .mapToObj(n -> run("busy", "sql", BUSY_ARGS))
                    .toList());
        }
    }

    private void write(List<NewRun> runs) {
        try {
            ledger.transaction(connection -> {
                Outbox.add(
                        connection,
                        Outbox.Kind.TASK,
                        Runs.insert(connection, runs).values());
                return null;
            });
        } catch (SQLException failed) {
            throw new BenchFailure("the ledger does not answer: " + failed.getMessage(), failed);
        }
    }

    private NewRun run(String queue, String task, String args) {
        return new NewRun(
                queue + "@manual:" + written.incrementAndGet(),
                Optional.empty(),
                Optional.empty(),
                task,
                queue,
                Origin.MANUAL,
                Instant.EPOCH,
                args,
                Duration.ofMinutes(1),
                "{\"max_attempts\":3}",
                3,
                false,
                false,
                Optional.empty(),
                Optional.empty());
    }
}
