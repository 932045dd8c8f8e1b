package io.onbeat.beat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.ledger.Workers;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkersCommandTest {
    private final CliSystem system = new CliSystem(CliSystem.NOBODY);

    @AfterEach
    void close() {
        system.close();
    }

    private void report(String id, String queues, String state) throws SQLException {
        Workers.report(
                system.ledger().ledger(),
                new Workers.Identity(id, "host", 7, "0.1", queues, "[\"noop\"]"),
                state,
                new Workers.Counts(2, 40, 30, 8, 5, 1, "{}"));
    }

    @Test
    void a_worker_that_is_not_heard_of_is_silent() throws SQLException {
        report("w1", "{\"default\":8,\"web\":4}", "up");
        report("w2", "{\"default\":8}", "stopped");
        system.ledger().advanceClock(Duration.ofSeconds(16));
        report("w3", "{\"default\":1}", "draining");
        assertThat(system.onbeat("workers")).isEqualTo(new Cli(0, """
                        WORKER  STATE     QUEUES           RUNNING  CLAIMED  SUCCEEDED  FAILED  DUPLICATES  LOST  SEEN
                        w1      silent    default:8 web:4  2        40       30         8       5           1     16s ago
                        w2      stopped   default:8        2        40       30         8       5           1     16s ago
                        w3      draining  default:1        2        40       30         8       5           1     0s ago
                        """, ""));
        assertThat(system.onbeat("workers", "--json").out())
                .startsWith("[{\"id\":\"w1\",\"state\":\"silent\",\"host\":\"host\",\"pid\":7,\"version\":\"0.1\","
                        + "\"queues\":{\"default\":8,\"web\":4},\"tasks\":[\"noop\"],"
                        + "\"started_at\":\"2026-07-14T09:00:00Z\",\"seen_at\":\"2026-07-14T09:00:00Z\","
                        + "\"silence_ms\":16000,\"running\":2,\"claimed\":40,\"succeeded\":30,\"failed\":8,"
                        + "\"duplicates\":5,\"lost\":1}");
    }

    @Test
    void no_worker_yet() {
        assertThat(system.onbeat("workers")).isEqualTo(new Cli(0, "no workers have reported yet\n", ""));
        assertThat(system.onbeat("workers", "--json").out()).isEqualTo("[]\n");
    }
}
