package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.Workers;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuesCommandTest {
    private final BrokerSystem broker = new BrokerSystem();
    private final CliSystem system = new CliSystem(broker.url());

    @AfterEach
    void close() {
        system.close();
        broker.close();
    }

    @Test
    void queues_are_listed_with_what_waits_in_them() throws SQLException {
        system.schedules("""
                schedules:
                  tick: {every: 1m, task: noop, retry: {max_attempts: 3, delays: [10s, 20s]}}
                  web: {every: 1m, task: noop, queue: web}
                """);
        Workers.report(
                system.ledger().ledger(),
                new Workers.Identity("w1", "host", 7, "0.1", "{\"mail\":8}", "[]"),
                "up",
                new Workers.Counts(0, 0, 0, 0, 0, 0, "{}"));
        broker.put("onbeat.task.default", "a", Map.of());
        broker.put("onbeat.task.default", "b", Map.of());
        broker.put("onbeat.retry.default.10s", "c", Map.of());
        broker.putDead("d", 1);
        assertThat(system.onbeat("queues")).isEqualTo(new Cli(0, """
                        QUEUE    READY  CONSUMERS  DELAYED  DEAD
                        default  2      0          10s:1    1
                        mail     -      -          -        -
                        web      -      -          -        -
                        """, ""));
        assertThat(system.onbeat("queues", "--json").out())
                .isEqualTo("[{\"queue\":\"default\",\"ready\":2,\"consumers\":0,\"delayed\":{\"10s\":1},\"dead\":1},"
                        + "{\"queue\":\"mail\",\"ready\":null,\"consumers\":null,\"delayed\":{},\"dead\":null},"
                        + "{\"queue\":\"web\",\"ready\":null,\"consumers\":null,\"delayed\":{},\"dead\":null}]\n");
    }

    @Test
    void nothing_in_use() {
        assertThat(system.onbeat("queues"))
                .isEqualTo(new Cli(0, "no queues are in use: no schedule, no worker, no run under way\n", ""));
        assertThat(system.onbeat("queues", "--json").out()).isEqualTo("[]\n");
    }

    @Test
    void a_broker_that_is_away_is_a_failure_of_one_line() {
        system.environment().put("ONBEAT_AMQP_URL", CliSystem.NOBODY);
        assertThat(system.onbeat("queues"))
                .isEqualTo(new Cli(
                        1,
                        "",
                        "onbeat: cannot ask the broker at amqp://127.0.0.1:1 (user guest): Connection refused\n"));
        system.environment().put("ONBEAT_AMQP_URL", broker.url());
        system.environment().put("ONBEAT_AMQP_PASSWORD", "wrong");
        Cli refused = system.onbeat("queues");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("ACCESS_REFUSED").hasLineCount(1);
    }
}
