package io.onbeat.verify.bench;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Sql;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * No-op runs per second, from due to settled. For each round the lead is withheld until the schedules are far enough behind;
 * then the beat takes it and finds all of it due at once. The ledger keeps the runs of all rounds.
 */
final class Throughput implements Benchmark {
    static final int SCHEDULES = 1_000;

    /** What may be due beyond the runs of a round: ten seconds of the schedules. */
    private static final int MORE = 10 * SCHEDULES;

    private final Size size;
    private final Progress progress;
    private final Ledger ledger;
    private final BenchLedger bench;
    private final OnbeatProcesses processes;
    private final RawBroker raw;
    private final Encoded message = MessageCodec.encode(ExampleMessage.of());
    private final List<String> remarks = new ArrayList<>();

    /** @param runs that are due at the start of a round */
    record Size(int runs, int workers, int slots) {}

    Throughput(BenchServers servers, Size size, Optional<Path> profile, Progress progress) {
        this.size = size;
        this.progress = progress;
        this.ledger = Ledger.open(servers.ledger(2));
        this.raw = new RawBroker(servers.broker());
        this.processes = new OnbeatProcesses(servers.folder(), servers.environment(), profile);
        this.bench = new BenchLedger(ledger, processes);
        ledger.migrate();
        processes.startBeat(schedules(servers.folder()));
        for (int number = 1; number <= size.workers(); number++) {
            processes.startWorker(number, size.slots());
        }
        bench.await(
                "a beat leads and all schedules are in force",
                connection -> Lead.isHeldByABeat(connection)
                        && count(connection, "select count(*) from schedule") == SCHEDULES);
        bench.await(
                "the first runs are settled",
                connection -> count(connection, "select count(*) from run where not open") >= SCHEDULES);
        withholdLead();
    }

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public String unit() {
        return "runs/s";
    }

    @Override
    public String reference() {
        return "raw RabbitMQ (" + message.body().length + " bytes)";
    }

    @Override
    public double referenceRound() {
        return raw.round(message, size.runs());
    }

    @Override
    public double round() {
        catchUp();
        bench.await(
                "all that was fired before is settled",
                connection -> count(connection, "select count(*) from run where open") == 0);
        RoundLedger round = bench.ask(RoundLedger::begin);
        bench.await("enough is due", connection -> RoundLedger.due(connection).count() >= size.runs());
        RoundLedger.Due due = bench.ask(RoundLedger::due);
        giveLeadBack();
        // looks that cost next to nothing, since they are taken while the figure is
        bench.await("what was due is judged", connection -> RoundLedger.judged(connection, due.at()));
        long last = bench.ask(connection -> round.last(connection, due.at()));
        bench.await("the last run that was due has ended", connection -> RoundLedger.ended(connection, last));
        bench.await("what was due is settled", connection -> round.settled(connection, due.at()) >= due.count());
        withholdLead();
        bench.await(
                "what fell due meanwhile is settled",
                connection -> count(connection, "select count(*) from run where open") == 0);
        bench.await("the outbox is empty", connection -> count(connection, "select count(*) from outbox") == 0);
        check(bench.ask(round::broken));
        RoundLedger.Span span = bench.ask(connection -> round.span(connection, due.at()));
        progress.say(String.format(
                Locale.ROOT,
                "%,d runs were due; with those that fell due meanwhile %,d settled in %.2f s; %s",
                due.count(),
                span.settled(),
                span.seconds(),
                bench.ask(Throughput::state)));
        return span.perSecond();
    }

    @Override
    public List<String> remarks() {
        remarks.add(
                "every due fire became one run, which succeeded at its first attempt; " + bench.ask(Throughput::state));
        return List.copyOf(remarks);
    }

    @Override
    public void close() {
        processes.close();
        raw.close();
        ledger.close();
    }

    /** So that a round is as long after slow peers as without them. */
    private void catchUp() {
        if (bench.ask(RoundLedger::due).count() <= size.runs() + MORE) {
            return;
        }
        progress.say("Onbeat first catches up with what fell due in the meantime");
        giveLeadBack();
        bench.await(
                "it has caught up", connection -> RoundLedger.due(connection).count() <= 2 * SCHEDULES);
        withholdLead();
    }

    private static String state(Connection connection) throws SQLException {
        return String.format(
                Locale.ROOT,
                "the ledger has %,d runs, %d %% of all updates of them were HOT, the workers met %,d duplicates",
                count(connection, "select count(*) from run"),
                count(connection, """
                        select (100 * n_tup_hot_upd / greatest(n_tup_upd, 1)) from pg_stat_user_tables
                        where relid = 'run'::regclass"""),
                count(connection, "select coalesce(sum(duplicates), 0)::bigint from worker"));
    }

    private void check(List<String> broken) {
        if (!broken.isEmpty()) {
            throw new BenchFailure("the figure is worth nothing, since there are " + String.join("; ", broken));
        }
    }

    private void withholdLead() {
        bench.ask(connection -> {
            Lead.take(ledger);
            return true;
        });
    }

    private void giveLeadBack() {
        bench.ask(connection -> {
            Lead.giveBack(ledger);
            return true;
        });
    }

    private static long count(Connection connection, String sql) throws SQLException {
        return Sql.one(connection, sql, row -> row.getLong(1));
    }

    private static Path schedules(Path folder) {
        StringBuilder yaml = new StringBuilder("defaults: {overlap: allow, catch_up: all}\nschedules:\n");
        for (int i = 0; i < SCHEDULES; i++) {
            yaml.append(String.format(Locale.ROOT, "  bench-%04d: {every: 1s, task: noop}%n", i));
        }
        return Folders.write(folder.resolve("schedule.yaml"), yaml.toString());
    }
}
