package io.onbeat.verify.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.ManagementApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers that let nobody in: one clear line that names the setting and no secret, and work as soon as that is mended. */
class BadServersTest {
    private static final String SECRET = "the-wrong-secret-7134";

    @RegisterExtension
    static final Cluster cluster = new Cluster();

    private final Books books = cluster.books();

    @BeforeAll
    static void schedule() {
        cluster.schedules("""
                schedules:
                  tick: {every: 1s, task: record, overlap: allow, misfire_grace: 1h}
                """);
    }

    @Test
    void aBrokerWithAWrongPassword() {
        ManagementApi management = cluster.servers().management();
        String vhost = ManagementApi.encode(cluster.servers().vhost().name());
        String user = "user-of-" + cluster.servers().vhost().name();
        management.put("/api/users/" + user, "{\"password\": \"right\", \"tags\": \"\"}");
        management.put(
                "/api/permissions/" + vhost + "/" + user,
                "{\"configure\": \".*\", \"write\": \".*\", \"read\": \".*\"}");
        try {
            Map<String, String> wrong = Map.of("ONBEAT_AMQP_USER", user, "ONBEAT_AMQP_PASSWORD", SECRET);
            Node beat = cluster.startBeat(wrong);
            Node worker = cluster.startWorker(wrong);
            for (Node node : List.of(beat, worker)) {
                node.awaitLog("ONBEAT_AMQP_PASSWORD");
                assertThat(node.logLines("ONBEAT_AMQP_PASSWORD"))
                        .as(node.name())
                        .hasSizeLessThan(4);
                assertThat(node.log()).doesNotContain(SECRET);
            }
            books.await("select count(*) > 0 from outbox");
            management.put("/api/users/" + user, "{\"password\": \"" + SECRET + "\", \"tags\": \"\"}");
            books.await("select count(*) > 3 from run where state = 'succeeded'");
            assertThat(beat.isAlive() && worker.isAlive()).isTrue();
            beat.kill9();
            worker.kill9();
        } finally {
            management.delete("/api/users/" + user);
        }
    }

    @Test
    void aDatabaseWithoutPermission() {
        String name = cluster.servers().database().jdbcUrl();
        String database = name.substring(name.lastIndexOf('/') + 1);
        String user = "guest_of_" + database;
        books.execute("create role " + user + " login password '" + SECRET + "'");
        try {
            Map<String, String> guest = Map.of(
                    "ONBEAT_DATABASE_USER", user, "ONBEAT_DATABASE_PASSWORD", SECRET, "ONBEAT_NAMESPACE", "guest");
            Node beat = cluster.startBeat(guest);
            Node worker = cluster.startWorker(guest);
            beat.awaitLog("ONBEAT_DATABASE_USER");
            assertThat(beat.logLines("permission denied")).isNotEmpty().hasSizeLessThan(4);
            worker.awaitLog("waiting for a beat");
            assertThat(worker.logLines("waiting for a beat")).hasSizeLessThan(4);
            assertThat(beat.log() + worker.log()).doesNotContain(SECRET);
            books.execute("grant create on database " + database + " to " + user);
            books.execute("grant usage on schema verify to " + user);
            books.execute("grant insert on verify.execution to " + user);
            books.await("select to_regclass('guest.run') is not null");
            books.await("select count(*) > 0 from guest.run where state = 'succeeded'");
            beat.kill9();
            worker.kill9();
        } finally {
            books.execute("drop owned by " + user);
            books.execute("drop role " + user);
        }
    }
}
