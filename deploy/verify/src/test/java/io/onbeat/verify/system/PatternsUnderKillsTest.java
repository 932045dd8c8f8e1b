package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.beat.fire.RunNow;
import io.onbeat.local.DebianPackages;
import io.onbeat.local.TestServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Each tool against doing things twice, with 100 runs that were asked for at the same time (and twice each), whose attempts
 * fail at random, on workers that are killed at random: its effect is there exactly once. No table has a key that would help.
 */
@Order(3)
class PatternsUnderKillsTest {
    private static final int TRIGGERS = 100;
    // each starts a Java of its own
    private static final int LOCK_COMMANDS = 30;
    private static final int KILLS = 10;
    private static final long SEED = 20_261_201;
    private static final String ON_REDIS = "lock-on-redis";
    private static final String COMMAND = "lock-command";
    private static final List<String> ON_EVERY_WORKER =
            List.of("transaction", "once", "claim-rows", "rows", "lock", COMMAND, "once-command");
    private static final List<String> ALL =
            Stream.concat(ON_EVERY_WORKER.stream(), Stream.of(ON_REDIS)).toList();
    private static final int ALL_RUNS = (ALL.size() - 1) * TRIGGERS + LOCK_COMMANDS;

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();
    private final Random random = new Random(SEED);
    private final List<Staff> workers = new ArrayList<>();

    /** @param settings of the one that takes its place */
    private record Staff(Node node, Map<String, String> settings) {}

    @Test
    void everyEffectIsThereOnceWhateverFailsAndIsKilled() throws Exception {
        DebianPackages.install("python3-psycopg2");
        tables();
        cluster.schedules(schedules());
        cluster.startBeat();
        for (int worker = 0; worker < 3; worker++) {
            start(onTheLedger());
        }
        start(onRedis());
        books.await("select count(*) = ? from schedule", ALL.size());
        for (Staff worker : workers) {
            worker.node().awaitLog("consuming onbeat.task.");
        }

        ExecutorService callers = Executors.newFixedThreadPool(4);
        try {
            List<Future<RunNow.Outcome>> answers = triggerAllTwice(callers);
            killAtRandom();
            for (Future<RunNow.Outcome> answer : answers) {
                assertThat(answer.get())
                        .isInstanceOfAny(RunNow.Outcome.Queued.class, RunNow.Outcome.AlreadyThere.class);
            }
        } finally {
            callers.shutdownNow();
        }

        books.await(Duration.ofMinutes(4), "select count(*) = ? from run where not open", ALL_RUNS);
        assertThat(books.texts("select distinct state from run")).containsExactly("succeeded");
        for (String schedule : ALL) {
            assertThat(books.number("select count(*) from run where schedule = ?", schedule))
                    .as("runs of %s", schedule)
                    .isEqualTo(triggers(schedule));
        }
        everyToolWasPutToTheTest();
        everyEffectIsThereOnce();
    }

    private void tables() {
        books.execute("""
                create table verify.account (id int, balance int, times int);
                insert into verify.account select i, 0, 0 from generate_series(0, 99) i;
                create table verify.mail (invoice int);
                create table verify.booking (invoice int, cents int);
                create table verify.parcel (id int, status text, grams int);
                insert into verify.parcel select i, 'waiting', i from generate_series(1, 1000) i;
                create table verify.shipment (parcel int, grams int);
                create table verify.bill (id int, status text, cents int);
                insert into verify.bill select i, 'open', i from generate_series(1, 1000) i;
                create table verify.payment (bill int, cents int);
                create table verify.till (name text, level int, token bigint);
                insert into verify.till values ('lock', 0, 0), ('lock-on-redis', 0, 0), ('lock-command', 0, 0);
                create table verify.entry (till text, level int, token bigint, run_key text);
                create table verify.letter (number int)""");
    }

    private static String schedules() throws IOException {
        String head = """
                defaults: {timeout: 5m, retry: {max_attempts: 1000, delays: [1s]}}
                schedules:
                """;
        return head
                + schedule("transaction", "settle-account", "{seed: SEED, percent: 20, millis: 400}")
                + schedule("once", "charge-invoice", "{seed: SEED, percent: 10, millis: 400}")
                + schedule("claim-rows", "ship-parcels", "{seed: SEED, percent: 2, millis: 40}")
                + schedule("lock", "count-till", "{seed: SEED, percent: 10, millis: 20}")
                + schedule(ON_REDIS, "count-till", "{seed: SEED, percent: 10, millis: 20}")
                + schedule("rows", "rows", """
                        {table: verify.bill, status: {from: open, to: paid}, batch: 5, max_failures: 1000, sql: [
                            "insert into verify.payment (bill, cents) values (:id, :cents)", "select pg_sleep(0.04)",
                            "select 1 / least(1, abs(hashtext(concat('SEED', :run_key::text, :attempt::text, :id::text))) % 50)"]}""")
                + schedule(COMMAND, "exec", program("count_drawer.py"))
                + schedule("once-command", "exec", program("send_letter.py"));
    }

    private static int triggers(String schedule) {
        return schedule.equals(COMMAND) ? LOCK_COMMANDS : TRIGGERS;
    }

    private static String schedule(String name, String task, String args) {
        return """
                  %s: {at: "2040-01-01T00:00:00Z", queue: %s, overlap: allow, task: %s, args: %s}
                """.formatted(name, name, task, args.replace("\n", " ").replace("SEED", Long.toString(SEED)));
    }

    private static String program(String name) throws IOException {
        Map<String, String> environment = cluster.settings();
        environment.put("ONBEAT_COMMAND", launcher().toString());
        environment.put("SHOP", cluster.servers().libpqUrl());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        environment.put(
                "PYTHONPATH", Processes.root().resolve("deploy/examples/python").toString());
        return "{command: [/usr/bin/python3, %s], retry_after: 1s, input: {seed: SEED}, env: {%s}}"
                .formatted(
                        resource(name),
                        environment.entrySet().stream()
                                .map(entry -> entry.getKey() + ": \"" + entry.getValue() + "\"")
                                .collect(Collectors.joining(", ")));
    }

    /** The command onbeat. */
    private static Path launcher() throws IOException {
        Path launcher = Files.writeString(
                cluster.folder().resolve("onbeat"),
                "#!/bin/sh\nexec " + String.join(" ", Processes.command(Processes.beatJar(), List.of())) + " \"$@\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        return launcher;
    }

    private static Path resource(String name) throws IOException {
        Path file = cluster.folder().resolve(name);
        try (var content = PatternsUnderKillsTest.class.getResourceAsStream(name)) {
            return Files.write(file, content.readAllBytes());
        }
    }

    private static Map<String, String> onTheLedger() {
        return settings(ON_EVERY_WORKER.stream().map(queue -> queue + ":2").collect(Collectors.joining(",")));
    }

    private static Map<String, String> onRedis() {
        Map<String, String> settings = settings(ON_REDIS + ":4");
        settings.put("ONBEAT_LOCK_URL", TestServices.redis().url());
        settings.put("ONBEAT_LOCK_PASSWORD", TestServices.redis().password());
        return settings;
    }

    private static Map<String, String> settings(String queues) {
        return new HashMap<>(Map.of(
                "ONBEAT_QUEUES", queues,
                "ONBEAT_ALLOWED_TASKS", "*,exec",
                // short, and yet longer than this machine may stand still under its load
                "ONBEAT_LEASE", "5s",
                "ONBEAT_DATABASE_POOL", "12",
                "ONBEAT_DATASOURCE_POOL", "20"));
    }

    private void start(Map<String, String> settings) {
        workers.add(new Staff(cluster.startWorker(settings), settings));
    }

    /** Each run is asked for by two callers; the answers come while the first runs are at work. */
    private List<Future<RunNow.Outcome>> triggerAllTwice(ExecutorService callers) {
        List<Callable<RunNow.Outcome>> calls = new ArrayList<>();
        for (int place = 0; place < TRIGGERS; place++) {
            for (String schedule : ALL) {
                Optional<String> key = Optional.of("ask-" + place % triggers(schedule));
                Callable<RunNow.Outcome> call =
                        () -> new RunNow(books.ledger()).trigger(schedule, Optional.empty(), key, "test");
                calls.addAll(List.of(call, call));
            }
        }
        return calls.stream().map(callers::submit).toList();
    }

    /** A worker that is at one tool after the other, when some more runs have ended; the last ones when far more have. */
    private void killAtRandom() {
        List<String> turns = new ArrayList<>(ON_EVERY_WORKER);
        Collections.shuffle(turns, random);
        // it has a worker of its own, which no other turn takes along
        turns.add(0, ON_REDIS);
        int ended = 0;
        for (String schedule : turns) {
            ended += random.nextInt(15);
            killOneAt(schedule, ended);
        }
        for (int more = turns.size(); more < KILLS; more++) {
            ended += random.nextInt(ALL_RUNS / 3);
            killOneAt("%", ended);
        }
    }

    private void killOneAt(String schedule, int ended) {
        books.await("""
                select count(*) filter (where not open) >= ? and bool_or(state = 'running' and schedule like ?)
                    or count(*) filter (where not open) = ? from run""", ended, schedule, ALL_RUNS);
        List<String> atIt = books.texts(
                "select lease_owner from run where state = 'running' and schedule like ? order by id", schedule);
        workers.stream()
                .filter(worker -> atIt.contains(worker.node().name()))
                .findFirst()
                .ifPresent(victim -> {
                    victim.node().kill9();
                    workers.remove(victim);
                    start(victim.settings());
                });
    }

    private void everyToolWasPutToTheTest() {
        for (String outcome : List.of("lost", "failed")) {
            assertThat(books.texts("""
                            select distinct r.schedule from attempt a join run r on r.id = a.run_id
                            where a.outcome = ?""", outcome))
                    .as("schedules with an attempt that " + outcome)
                    .hasSize(ALL.size());
        }
    }

    private void everyEffectIsThereOnce() {
        SoftAssertions all = new SoftAssertions();
        all.assertThat(books.texts("select distinct times || ' ' || balance from verify.account"))
                .as("transaction: times settled, balance")
                .containsExactly("1 7");
        for (String step : List.of("mail", "booking")) {
            all.assertThat(books.text("select count(*) || ' ' || count(distinct invoice) from verify." + step))
                    .as("once: %s", step)
                    .isEqualTo("25 25");
        }
        all.assertThat(books.text(
                        "select count(*) || ' ' || count(distinct parcel) || ' ' || sum(grams) from verify.shipment"))
                .as("claimRows: shipments, parcels, grams")
                .isEqualTo("1000 1000 500500");
        all.assertThat(books.texts("select distinct status from verify.parcel")).containsExactly("shipped");
        all.assertThat(books.text(
                        "select count(*) || ' ' || count(distinct bill) || ' ' || sum(cents) from verify.payment"))
                .as("rows: payments, bills, cents")
                .isEqualTo("1000 1000 500500");
        all.assertThat(books.texts("select distinct status from verify.bill")).containsExactly("paid");
        for (String till : List.of("lock", ON_REDIS, COMMAND)) {
            all.assertThat(books.text("""
                            select concat_ws(' ', (select level from verify.till where name = e.till),
                                             count(*), count(distinct run_key), count(distinct level))
                            from verify.entry e where till = ? group by till""", till))
                    .as("%s: level, entries, runs, levels", till)
                    .isEqualTo("%1$d %1$d %1$d %1$d".formatted(triggers(till)));
            all.assertThat(books.number("""
                            select count(*) from (select token, lag(token) over (order by level) as before
                                                  from verify.entry where till = ?) e where token <= before""", till))
                    .as("%s: tokens that did not grow", till)
                    .isZero();
        }
        all.assertThat(books.text("select count(*) || ' ' || count(distinct number) from verify.letter"))
                .as("once over the command line")
                .isEqualTo("25 25");
        all.assertAll();
    }
}
