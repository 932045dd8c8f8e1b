package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.run.Attempt;
import io.onbeat.run.Origin;
import io.onbeat.run.RunState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The states that docs/guarantees.md draws: every step of the ledger's code is tried on a run in every state. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DrawnStatesTest {
    private static final Pattern ARROW = Pattern.compile("^ +(\\S+) --> ([^:\\s]+)", Pattern.MULTILINE);
    private static final Instant NOON = Instant.parse("2026-07-14T12:00:00Z");
    private static final UUID TOKEN = UUID.fromString("00000000-0000-0000-0000-000000000001");
    private static final Failure FAILURE = LedgerRuns.failure("no");
    private static final int MAX_ATTEMPTS = 3;

    private final TestLedger test = new TestLedger();
    private final Ledger ledger = test.ledger();
    private final Set<String> arrows = new TreeSet<>();
    private final int schedule;

    DrawnStatesTest() throws SQLException {
        test.setClock(NOON);
        ledger.transaction(connection -> {
            Schedules.put(connection, List.of(new Schedules.Spec("s", "{}", "hash", "hash")), NOON);
            return true;
        });
        schedule = (int) test.number("select id from schedule");
        test.execute("create table moved (arrow text)");
        test.execute("""
                create function move() returns trigger language plpgsql as $$ begin
                    insert into moved values (old.state || ' --> ' || new.state);
                    return null;
                end $$""");
        test.execute("""
                create trigger move after update on run for each row when (old.state <> new.state)
                execute function move()""");
    }

    @AfterAll
    void close() {
        test.close();
    }

    /** What the code does to a run, whatever state that is in. */
    @FunctionalInterface
    private interface Step {
        void take(Connection connection, ClaimedRun run) throws SQLException;
    }

    @Test
    void every_step_that_the_code_can_take_is_drawn_and_no_other() throws Exception {
        for (boolean waiting : new boolean[] {false, true}) {
            insert(waiting);
            arrows.add("[*] --> " + test.texts("select state from run").get(0));
        }
        for (RunState state : RunState.values()) {
            if (!state.open() && state != RunState.DEAD) {
                arrows.add(state.word() + " --> [*]");
            }
            for (Step step : steps()) {
                take(step, state, "");
                if (state == RunState.RUNNING) {
                    take(step, state, "cancel_requested = true");
                    take(step, state, "failures = " + (MAX_ATTEMPTS - 1));
                }
            }
        }
        assertThat(drawn()).isEqualTo(arrows);
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>(List.of(
                (connection, run) -> claim(new Attempt(run.attempt().runId(), "s@1", 1)),
                (connection, run) -> claim(new Attempt(run.attempt().runId(), "s@1", 2)),
                (connection, run) -> claimWhileAllPermitsAreTaken(run),
                (connection, run) -> Leases.succeed(connection, "onbeat", run, "1"),
                (connection, run) -> Recovery.endLapsedLeases(connection, 10),
                (connection, run) -> Recovery.promote(connection),
                (connection, run) -> Recovery.expire(connection, 10),
                (connection, run) -> Recovery.republishOverdue(connection, Duration.ofSeconds(30), 10),
                (connection, run) -> Cancellations.cancel(connection, "s@1"),
                (connection, run) -> replay(connection, run, false),
                (connection, run) -> replay(connection, run, true),
                (connection, run) -> DeadRuns.discard(
                        connection, List.of(new DeadRuns.DeadRun(run.attempt().runId(), "s@1", "default", 1)))));
        settlements()
                .forEach(settle -> steps.add((connection, run) -> Settlements.settle(ledger, List.of(settle.of(run)))));
        return steps;
    }

    @FunctionalInterface
    private interface Settle {
        Settlement of(ClaimedRun run);
    }

    private static List<Settle> settlements() {
        return List.of(
                run -> Settlement.succeeded(run, Optional.empty()),
                run -> Settlement.skipped(run, "nothing to do"),
                run -> Settlement.retrying(run, FAILURE, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                run -> Settlement.dead(run, FAILURE),
                run -> Settlement.cancelled(run, FAILURE),
                Settlement::released);
    }

    private void take(Step step, RunState state, String also) throws SQLException {
        ClaimedRun run = runIn(state);
        if (!also.isEmpty()) {
            test.execute("update run set " + also);
        }
        test.execute("delete from moved");
        try (Connection connection = ledger.connection()) {
            step.take(connection, run);
        }
        arrows.addAll(test.texts("select arrow from moved"));
    }

    // started once, unless it can only be before its first start; its time to start, its lease and its expiry are over
    private ClaimedRun runIn(RunState state) throws SQLException {
        boolean fresh = state == RunState.WAITING || state == RunState.QUEUED || state == RunState.EXPIRED;
        long id = insert(false);
        test.execute("""
                update run set state = ?::run_state, open = ?, attempt = ?, lease_token = ?::uuid, lease_owner = 'w',
                               lease_until = clock() - interval '1 s', expires_at = clock() - interval '1 s',
                               republish_at = clock() - interval '1 s'""", state.word(), state.open(), fresh ? 0 : 1, TOKEN.toString());
        return claimed(id);
    }

    private long insert(boolean waiting) throws SQLException {
        test.execute("delete from run");
        Map<String, Long> ids = ledger.transaction(connection -> Runs.insert(connection, List.of(run("s@1", waiting))));
        return ids.get("s@1");
    }

    private void claim(Attempt attempt) throws SQLException {
        test.execute("update run set expires_at = null");
        new LedgerRuns(ledger).claim(attempt);
    }

    private void claimWhileAllPermitsAreTaken(ClaimedRun run) throws SQLException {
        test.execute("insert into task_limit values ('noop', 1)");
        Map<String, Long> other = ledger.transaction(c -> Runs.insert(c, List.of(run("s@9", false))));
        claim(new Attempt(other.get("s@9"), "s@9", 1));
        test.execute("delete from moved");
        claim(new Attempt(run.attempt().runId(), "s@1", 1));
        claim(new Attempt(run.attempt().runId(), "s@1", 2));
        test.execute("delete from task_limit");
        test.execute("delete from permit");
    }

    private void replay(Connection connection, ClaimedRun run, boolean busy) throws SQLException {
        if (busy) {
            ledger.transaction(other -> Runs.insert(other, List.of(run("s@2", true))));
        }
        Replays.replay(connection, List.of(new Replays.DeadRun(run.attempt().runId(), 1)));
    }

    private NewRun run(String key, boolean waiting) {
        return new NewRun(
                key,
                Optional.of(schedule),
                Optional.of("s"),
                "noop",
                "default",
                Origin.SCHEDULE,
                NOON,
                "{}",
                Duration.ofMinutes(5),
                "{\"max_attempts\":" + MAX_ATTEMPTS + "}",
                MAX_ATTEMPTS,
                true,
                waiting,
                Optional.empty(),
                Optional.empty());
    }

    private ClaimedRun claimed(long id) {
        return new ClaimedRun(
                new Attempt(id, "s@1", 1),
                TOKEN,
                Origin.SCHEDULE,
                Optional.of(schedule),
                Optional.of("s"),
                "noop",
                "default",
                NOON,
                "{}",
                Duration.ofMinutes(5),
                "{\"max_attempts\":" + MAX_ATTEMPTS + "}",
                MAX_ATTEMPTS,
                true,
                0,
                NOON,
                NOON,
                false);
    }

    private static Set<String> drawn() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("onbeat.root"), "docs/guarantees.md"));
        String drawing = page.substring(page.indexOf("stateDiagram-v2"));
        Matcher arrow = ARROW.matcher(drawing.substring(0, drawing.indexOf("```")));
        Set<String> drawn = new TreeSet<>();
        while (arrow.find()) {
            drawn.add(arrow.group(1) + " --> " + arrow.group(2));
        }
        return drawn;
    }
}
