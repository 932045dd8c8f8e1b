package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.beat.fire.RunNow;
import io.onbeat.local.DebianPackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The holder of a lock stands still for longer than the lock's time to live. Nothing keeps it from writing when it goes on; so
 * the table of the example bill-accounts refuses it, whose token is smaller than that of the holder after it.
 */
class FrozenLockTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String REFUSED = "is older than %d: another holder of the lock has written since";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @BeforeAll
    static void makeTheTables() throws SQLException {
        DebianPackages.install("python3-psycopg2");
        cluster.schedules("""
                defaults: {overlap: allow, retry: {max_attempts: 2, delays: [1s]}}
                schedules:
                  prepare: {at: "2040-01-01T00:00:00Z", queue: second, task: review-orders}
                  first: {at: "2040-01-01T00:00:00Z", queue: first, task: bill-accounts, args: {lock_seconds: 1}}
                  second: {at: "2040-01-01T00:00:00Z", queue: second, task: bill-accounts}
                """);
        cluster.startBeat();
        startWorker("second");
        cluster.books().await("select count(*) = 3 from schedule");
        trigger("prepare");
        cluster.books().await("select count(*) = 1 from run where schedule = 'prepare' and state = 'succeeded'");
    }

    @Test
    void aTaskThatStoodStillCannotWriteWithItsOldToken() throws SQLException {
        Node first = startWorker("first");
        Frozen standstill;
        long oldToken;
        Hold orders = Hold.table(cluster.servers().database(), "demo.orders");
        try (orders) {
            trigger("first");
            // it has the lock, and is about to read who has no bill
            books.await("""
                    select count(*) = 1 from pg_stat_activity where datname = current_database()
                    and wait_event_type = 'Lock' and query like '%not exists (select from demo.bill%'""");
            oldToken = tokenOf("bill-accounts");
            standstill = Frozen.of(first);
        }
        try (standstill) {
            awaitFree("bill-accounts");
            trigger("second");
            books.await("select count(*) = 1 from run where schedule = 'second' and state = 'succeeded'");
        }
        books.await("select count(*) = 1 from run where schedule = 'first' and not open");

        long newToken = books.number("select (result->>'token')::bigint from run where schedule = 'second'");
        assertThat(newToken).isGreaterThan(oldToken);
        assertThat(books.text("""
                        select stack_trace from attempt a join run r on r.id = a.run_id
                        where schedule = 'first' and outcome = 'failed'""")).contains(("token %d " + REFUSED).formatted(oldToken, newToken));
        assertThat(books.text("select state || ' ' || attempt from run where schedule = 'first'"))
                .as("the next attempt finds that every account has its bill")
                .isEqualTo("skipped 2");
        assertThat(books.texts("select distinct run_key from demo.bill"))
                .containsExactlyElementsOf(books.texts("select key from run where schedule = 'second'"));
        assertThat(books.text("""
                        select concat_ws(' ', count(*) > 0, max(number) = count(*), count(*) = count(distinct account_id))
                        from demo.bill""")).isEqualTo("t t t");
    }

    @Test
    void aCommandThatStoodStillCannotWriteWithItsOldToken() throws Exception {
        Path write = Files.writeString(cluster.folder().resolve("write.sh"), """
                #!/bin/sh
                echo "$ONBEAT_LOCK_TOKEN" > "$1.half" && mv "$1.half" "$1.token"
                while [ -e "$1.wait" ]; do sleep 0.1; done
                exec /usr/bin/python3 -c 'import os, psycopg2
                connection = psycopg2.connect(os.environ["SHOP"])
                connection.cursor().execute(
                    "update demo.bill_series set last_number = last_number, fence = %s", [os.environ["ONBEAT_LOCK_TOKEN"]])
                connection.commit()' > "$1.out" 2>&1
                """);
        Path first = cluster.folder().resolve("first");
        Files.createFile(Path.of(first + ".wait"));
        Process holder = holding(write, first);
        try {
            List<ProcessHandle> command = holder.descendants().toList();
            signal("STOP", List.of(holder.toHandle()));
            signal("STOP", command);

            // longer than the lock's time to live of 30 s, by the clock that it goes by
            books.turnClock(Duration.ofMinutes(1));
            awaitFree("by-hand");
            Path second = cluster.folder().resolve("second");
            Process next = holding(write, second);
            assertThat(next.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(next.exitValue()).isZero();
            long newToken = token(second);
            assertThat(newToken).isGreaterThan(token(first));

            // the command goes on first, and has time to write before anybody tells it that the lock is lost
            Files.delete(Path.of(first + ".wait"));
            signal("CONT", command);
            await().atMost(LIMIT)
                    .until(() -> Files.exists(Path.of(first + ".out"))
                            && Files.readString(Path.of(first + ".out"))
                                    .contains(("token %d " + REFUSED).formatted(token(first), newToken)));
            signal("CONT", List.of(holder.toHandle()));
            assertThat(holder.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(holder.exitValue()).isEqualTo(1);
            assertThat(books.number("select fence from demo.bill_series")).isGreaterThanOrEqualTo(newToken);
        } finally {
            holder.descendants().forEach(ProcessHandle::destroyForcibly);
            holder.destroyForcibly();
        }
    }

    /** Has the lock: started again where the ledger did not answer a loaded machine in time. */
    private static Process holding(Path write, Path name) throws IOException {
        for (int start = 0; start < 10; start++) {
            Process process = lockCommand(write, name);
            Path told = Path.of(name + ".token");
            await().atMost(LIMIT).until(() -> Files.exists(told) || !process.isAlive());
            if (Files.exists(told)) {
                return process;
            }
        }
        throw new AssertionError(Files.readString(Path.of(name + ".log")));
    }

    private static Process lockCommand(Path write, Path name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Processes.command(
                        Processes.beatJar(), List.of("lock", "by-hand", "--", "sh", write.toString(), name.toString())))
                .redirectErrorStream(true)
                .redirectOutput(Path.of(name + ".log").toFile());
        builder.environment().clear();
        builder.environment().putAll(Processes.environment(cluster.settings()));
        builder.environment().put("SHOP", cluster.servers().libpqUrl());
        return builder.start();
    }

    private static long token(Path name) throws IOException {
        return Long.parseLong(Files.readString(Path.of(name + ".token")).strip());
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            new ProcessBuilder("kill", "-s", name, "--", Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }

    private void awaitFree(String lock) {
        books.await("select lease_until <= clock() from lock where name = ?", lock);
    }

    private long tokenOf(String lock) {
        return books.number("select token from lock where name = ?", lock);
    }

    // the runs outlast the standstill: it is the lock alone that is lost
    private static Node startWorker(String queue) {
        return cluster.startWorker(Map.of("ONBEAT_QUEUES", queue + ":2", "ONBEAT_LEASE", "5m"));
    }

    private static void trigger(String schedule) throws SQLException {
        assertThat(new RunNow(cluster.books().ledger()).trigger(schedule, Optional.empty(), Optional.of("1"), "test"))
                .isInstanceOf(RunNow.Outcome.Queued.class);
    }
}
