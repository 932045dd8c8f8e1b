package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import org.junit.jupiter.api.Test;

class SchemaVersionTest {
    @Test
    void anEmptyDatabaseLacksTheSchemaUntilItIsMigrated() {
        Database database = TestServices.freshDatabase();
        try (Ledger ledger = Ledger.open(
                new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 1))) {
            assertThat(ledger.lacks().orElseThrow())
                    .contains("has no schema yet, and this process needs version ")
                    .contains("schema onbeat")
                    .doesNotContain(database.password());

            ledger.migrate();

            assertThat(ledger.lacks()).isEmpty();
        } finally {
            TestServices.dropDatabase(database);
        }
    }

    @Test
    void aNewerSchemaIsTakenAsItIs() {
        try (TestLedger newer = new TestLedger()) {
            newer.addMigrationsOfTheFuture();

            newer.ledger().migrate();

            assertThat(newer.ledger().lacks()).isEmpty();
            assertThat(newer.texts("select max(version::int) from flyway_schema_history"))
                    .containsExactly("999");
        }
    }
}
