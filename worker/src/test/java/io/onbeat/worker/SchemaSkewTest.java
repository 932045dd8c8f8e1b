package io.onbeat.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A rolling update: a worker beside a ledger of another version. */
class SchemaSkewTest {
    private final WorkerRig rig = new WorkerRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void onANewerSchemaItWorksOnThroughSuccessRetryAndDeath() {
        rig.ledger.addMigrationsOfTheFuture();
        Worker worker = rig.start("older", TestTask.of("broken", context -> {
            throw new IllegalStateException("broken");
        }));

        rig.fire(rig.run("noop@1", "noop"));
        rig.fire(rig.run("broken@1", "broken", "{\"max_attempts\":2,\"delays\":[\"1s\"]}", 2, Duration.ofMinutes(1)));

        rig.awaitState("noop@1", "succeeded");
        rig.awaitState("broken@1", "dead");
        await().atMost(WorkerRig.LIMIT).until(() -> worker.health().healthy());
        await().atMost(WorkerRig.LIMIT)
                .until(() -> rig.ledger.number("select count(*) from worker where of_the_future = 7") == 1);
    }

    @Test
    void onAnOlderSchemaItWaitsForTheBeatThatMigrates() {
        Database database = TestServices.freshDatabase();
        Worker worker = rig.start("newer", Map.of(ServerSettings.DATABASE_URL, database.jdbcUrl()));
        try (Ledger ledger = Ledger.open(
                new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 1))) {
            await().atMost(WorkerRig.LIMIT)
                    .untilAsserted(() -> assertThat(worker.health().problems())
                            .anyMatch(problem -> problem.contains("has no schema yet")
                                    && problem.endsWith("waiting for a beat of this version, which brings it there")));

            ledger.migrate();

            await().atMost(WorkerRig.LIMIT).until(() -> worker.health().healthy());
            worker.close();
        } finally {
            TestServices.dropDatabase(database);
        }
    }
}
