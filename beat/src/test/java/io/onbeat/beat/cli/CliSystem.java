package io.onbeat.beat.cli;

import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.TestLedger;
import io.onbeat.schedule.ScheduleFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command line at a ledger of its own, whose clock stands still. */
final class CliSystem implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-07-14T09:00:00Z");
    static final String NOBODY = "amqp://127.0.0.1:1/";

    private final TestLedger ledger = new TestLedger();
    private final Map<String, String> environment = new HashMap<>();

    CliSystem(String amqpUrl) {
        ledger.setClock(NOW);
        environment.put("ONBEAT_DATABASE_URL", ledger.settings().url());
        environment.put("ONBEAT_DATABASE_USER", ledger.settings().user());
        environment.put("ONBEAT_DATABASE_PASSWORD", ledger.settings().password());
        environment.put("ONBEAT_AMQP_URL", amqpUrl);
        // of another process: no mistake here
        environment.put("ONBEAT_QUEUES", "default:8");
    }

    TestLedger ledger() {
        return ledger;
    }

    Map<String, String> environment() {
        return environment;
    }

    Cli onbeat(String... args) {
        return Cli.in(environment, args);
    }

    /** What a beat writes of this schedule file. */
    CliSystem schedules(String yaml) {
        try {
            Path file = Files.createTempFile("schedule", ".yaml");
            Files.writeString(file, yaml);
            List<Schedules.Spec> specs = ScheduleFile.load(file).all().stream()
                    .map(s -> new Schedules.Spec(s.name(), s.toJson(), s.hash(), s.ruleHash()))
                    .toList();
            Files.delete(file);
            ledger.ledger().transaction(connection -> {
                Schedules.put(connection, specs, NOW);
                return specs;
            });
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A run of this schedule that is in this state, as its first attempt left it; due a minute ago and started at once. */
    void run(String key, String schedule, String state) {
        ledger.execute("""
                insert into run (key, schedule_id, schedule, task, queue, origin, fire_at, args, timeout_ms, retry,
                                 max_attempts, state, open, attempt, failures, queued_at, started_at, finished_at, lease_owner)
                select ?, (select id from schedule where name = ?), ?, 'noop', 'default', 'schedule',
                       clock() - interval '60 s', '{"batch": 5}', 300000, '{"max_attempts":1}', 1, s.state,
                       s.state in ('waiting', 'queued', 'running', 'retrying'),
                       case when s.state in ('waiting', 'queued') then 0 else 1 end,
                       case when s.state in ('dead', 'retrying') then 1 else 0 end, clock() - interval '60 s',
                       case when s.state not in ('waiting', 'queued') then clock() - interval '58 s' end,
                       case when s.state not in ('waiting', 'queued', 'running', 'retrying') then clock() - interval '57 s' end,
                       case when s.state not in ('waiting', 'queued') then 'w1' end
                from (select ?::run_state as state) as s""", key, schedule, schedule, state);
    }

    void error(String key, String errorClass, String message) {
        ledger.execute("update run set error_class = ?, error_message = ? where key = ?", errorClass, message, key);
        ledger.execute("""
                insert into attempt (run_id, attempt, outcome, worker, started_at, finished_at, error_class, error_message, stack_trace)
                select id, attempt, 'failed', 'w1', started_at, coalesce(finished_at, clock()), error_class, error_message,
                       error_class || ': ' || error_message || e'\\n\\tat Task.run(Task.java:7)'
                from run where key = ?""", key);
    }

    String state(String key) {
        return ledger.texts("select state from run where key = ?", key).get(0);
    }

    /** Who did what, oldest first: {@code trigger KEY}. */
    List<String> audit() {
        return ledger.texts("select action || ' ' || target from audit order by id");
    }

    @Override
    public void close() {
        ledger.close();
    }
}
