package io.onbeat.beat;

import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onbeat.config.Settings;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.ledger.Sql;
import io.onbeat.ledger.TestLedger;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rolling update: a beat beside a ledger of another version. */
class SchemaSkewTest {
    @TempDir
    private Path folder;

    @Test
    void onANewerSchemaItGoesOnFiring() throws Exception {
        try (TestLedger ledger = new TestLedger()) {
            ledger.addMigrationsOfTheFuture();
            try (Beat older = beat(ledger.settings())) {
                awaitRuns(older.ledger());
            }
        }
    }

    @Test
    void anOlderSchemaIsBroughtToItsVersion() throws Exception {
        Database database = TestServices.freshDatabase();
        LedgerSettings settings =
                new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 4);
        try (Beat newer = beat(settings)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> newer.ledger().lacks().isEmpty());
            awaitRuns(newer.ledger());
        } finally {
            TestServices.dropDatabase(database);
        }
    }

    private Beat beat(LedgerSettings ledger) throws Exception {
        Path schedules = folder.resolve("schedule.yaml");
        Files.writeString(schedules, "schedules:\n  tick: {every: 1s, task: noop, overlap: allow}\n");
        Settings settings = Settings.of(Map.of(
                "ONBEAT_DATABASE_URL", ledger.url(),
                "ONBEAT_DATABASE_USER", ledger.user(),
                "ONBEAT_DATABASE_PASSWORD", ledger.password(),
                "ONBEAT_AMQP_URL", "amqp://127.0.0.1:1/",
                "ONBEAT_SCHEDULES", schedules.toString()));
        Beat beat = new Beat(BeatSettings.read(settings, "skewed"), new SimpleMeterRegistry());
        beat.start();
        return beat;
    }

    private static void awaitRuns(Ledger ledger) {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            try (var connection = ledger.connection()) {
                return Sql.one(connection, "select count(*) from run", row -> row.getLong(1)) > 1;
            }
        });
    }
}
