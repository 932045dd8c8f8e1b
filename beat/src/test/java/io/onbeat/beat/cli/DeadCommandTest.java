package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadCommandTest {
    private final BrokerSystem broker = new BrokerSystem();
    private final CliSystem system = new CliSystem(broker.url())
            .schedules("schedules:\n  tick: {every: 1m, task: noop}\n  tock: {every: 1m, task: noop}\n");

    @BeforeEach
    void threeDeadRuns() {
        dead("tick@1", "tick", "timed out");
        dead("tick@2", "tick", "refused");
        dead("tock@1", "tock", "refused");
    }

    private void dead(String key, String schedule, String error) {
        system.run(key, schedule, "dead");
        system.error(key, "Broken", error);
        broker.putDead(key, 1);
    }

    @AfterEach
    void close() {
        system.close();
        broker.close();
    }

    @Test
    void dead_runs_are_listed() {
        assertThat(system.onbeat("dead", "list")).isEqualTo(new Cli(0, """
                        KEY     TASK  ATTEMPTS  DIED AT               ERROR
                        tock@1  noop  1         2026-07-14T08:59:03Z  refused
                        tick@2  noop  1         2026-07-14T08:59:03Z  refused
                        tick@1  noop  1         2026-07-14T08:59:03Z  timed out
                        """, ""));
        assertThat(system.onbeat("dead", "list", "--schedule", "tick", "--error", "refused")
                        .lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("tick@2");
        assertThat(system.onbeat("dead", "list", "--limit", "1", "--json").out())
                .startsWith("[{\"key\":\"tock@1\",\"state\":\"dead\",")
                .doesNotContain("tick");
    }

    @Test
    void a_replay_queues_the_run_and_takes_its_message_out_of_the_dead_queue() {
        assertThat(system.onbeat("dead", "replay", "tick@2")).isEqualTo(new Cli(0, "replayed tick@2\n", ""));
        assertThat(system.state("tick@2")).isEqualTo("queued");
        assertThat(system.ledger().texts("select kind || ' ' || run_ids::text from outbox"))
                .containsExactly("task {" + system.ledger().number("select id from run where key = 'tick@2'") + "}");
        assertThat(system.audit()).containsExactly("replay tick@2");
        assertThat(broker.drain(BrokerSystem.DEAD)).containsExactly("tick@1", "tock@1");
    }

    @Test
    void the_other_messages_stay_in_order_however_often_one_is_replayed() {
        List<String> keys = IntStream.range(0, 60).mapToObj(n -> "more@" + n).toList();
        keys.forEach(key -> dead(key, "tick", "refused"));
        for (int n = 55; n >= 0; n -= 5) {
            assertThat(system.onbeat("dead", "replay", "more@" + n, "--json").out())
                    .isEqualTo("{\"replayed\":[\"more@" + n + "\"],\"dead_messages_removed\":1,\"note\":null}\n");
        }
        assertThat(broker.drain(BrokerSystem.DEAD))
                .startsWith("tick@1", "tick@2", "tock@1", "more@1")
                .hasSize(3 + 48)
                .endsWith("more@57", "more@58", "more@59")
                .isSortedAccordingTo(Comparator.comparing(keys::indexOf));
    }

    @Test
    void only_messages_up_to_the_attempt_that_died_leave() {
        system.ledger().execute("update run set attempt = 3 where key = 'tick@1'");
        broker.putDead("tick@1", 3);
        broker.put(BrokerSystem.DEAD, "tick@1", Map.of("attempt", 4));
        broker.put(BrokerSystem.DEAD, "tick@1", Map.of());
        system.onbeat("dead", "replay", "tick@1");
        assertThat(broker.drain(BrokerSystem.DEAD)).containsExactly("tick@2", "tock@1", "tick@1", "tick@1");
    }

    @Test
    void a_selection_is_replayed_together() {
        assertThat(system.onbeat("dead", "replay", "--schedule", "tick", "--error", "refused")
                        .out())
                .isEqualTo("replayed tick@2\n");
        assertThat(system.onbeat("dead", "replay", "--error", "refused").out()).isEqualTo("replayed tock@1\n");
        assertThat(system.onbeat("dead", "replay", "--error", "refused"))
                .isEqualTo(new Cli(0, "no dead run is of that kind\n", ""));
        system.ledger().execute("update run set state = 'dead', open = false");
        assertThat(system.onbeat("dead", "replay", "--all", "--json").out())
                .isEqualTo(
                        "{\"replayed\":[\"tick@1\",\"tick@2\",\"tock@1\"],\"dead_messages_removed\":1,\"note\":null}\n");
        assertThat(system.onbeat("dead", "list")).isEqualTo(new Cli(0, "no dead runs\n", ""));
        assertThat(system.onbeat("dead", "list", "--json").out()).isEqualTo("[]\n");
        assertThat(broker.drain(BrokerSystem.DEAD)).isEmpty();
    }

    @Test
    void more_runs_than_a_batch_are_replayed_in_one_call() {
        system.ledger().execute("""
                insert into run (key, task, queue, origin, fire_at, timeout_ms, max_attempts, state, open, queued_at, attempt)
                select 'many@' || n, 'noop', 'default', 'outside', clock(), 1000, 1, 'dead', false, clock(), 1
                from generate_series(1, 1200) as n""");
        assertThat(system.onbeat("dead", "replay", "--all")).isEqualTo(new Cli(0, "replayed 1203 runs\n", ""));
        assertThat(system.ledger().number("select count(*) from run where state = 'queued'"))
                .isEqualTo(1203);
        assertThat(system.ledger().number("select sum(cardinality(run_ids)) from outbox"))
                .isEqualTo(1203);
        assertThat(system.audit()).hasSize(1203);
    }

    @Test
    void discarded_runs_are_cancelled_with_their_error_on_record() {
        assertThat(system.onbeat("dead", "discard", "tick@1", "tock@1"))
                .isEqualTo(new Cli(0, "discarded 2 runs\n", ""));
        assertThat(system.ledger().texts("select key || ' ' || state || ' ' || error_message from run order by id"))
                .containsExactly("tick@1 cancelled timed out", "tick@2 dead refused", "tock@1 cancelled refused");
        assertThat(system.audit()).containsExactly("discard tick@1", "discard tock@1");
        assertThat(broker.drain(BrokerSystem.DEAD)).containsExactly("tick@2");
        assertThat(system.onbeat("dead", "replay", "tick@1"))
                .isEqualTo(
                        new Cli(1, "", "onbeat: tick@1 is not dead but cancelled: onbeat trigger starts a new run\n"));
    }

    @Test
    void a_replay_works_while_the_broker_is_away() {
        system.environment().put("ONBEAT_AMQP_URL", CliSystem.NOBODY);
        assertThat(system.onbeat("dead", "replay", "tick@2"))
                .isEqualTo(new Cli(
                        0,
                        "replayed tick@2\ncannot ask the broker at amqp://127.0.0.1:1 (user guest): Connection refused; stale"
                                + " messages stay in the dead queues, and do no harm\n",
                        ""));
        assertThat(system.state("tick@2")).isEqualTo("queued");
    }

    @Test
    void a_dead_queue_that_does_not_exist_has_no_messages() {
        system.ledger().execute("update run set queue = 'elsewhere'");
        assertThat(system.onbeat("dead", "replay", "tick@2")).isEqualTo(new Cli(0, "replayed tick@2\n", ""));
    }

    @Test
    void wrong_values_are_told_in_one_line_and_do_nothing() {
        assertWrong(2, "say which: KEY, --schedule, --error or --all", "replay");
        assertWrong(2, "say it in one way only: KEY, --schedule, --error or --all", "discard", "tick@1", "--all");
        assertWrong(2, "no run \"tick@9\" in the ledger: onbeat runs lists the keys", "replay", "tick@1", "tick@9");
        assertWrong(2, "--schedule: no schedule \"tik\"; did you mean \"tick\"?", "replay", "--schedule", "tik");
        assertWrong(2, "--schedule: no schedule \"tik\"; did you mean \"tick\"?", "list", "--schedule", "tik");
        system.run("tick@3", "tick", "running");
        assertWrong(1, "tick@3 is not dead but running; nothing was done", "discard", "tick@1", "tick@3");
        assertThat(system.ledger().number("select count(*) from run where state = 'dead'"))
                .isEqualTo(3);
        assertThat(broker.drain(BrokerSystem.DEAD)).hasSize(3);
    }

    private void assertWrong(int code, String message, String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "dead";
        System.arraycopy(args, 0, all, 1, args.length);
        assertThat(system.onbeat(all)).isEqualTo(new Cli(code, "", "onbeat: " + message + "\n"));
    }
}
