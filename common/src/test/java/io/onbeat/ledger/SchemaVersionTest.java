package io.onbeat.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
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
    void anOlderSchemaIsNamedBesideTheVersionThatIsNeeded() {
        Database database = TestServices.freshDatabase();
        try (Ledger ledger = Ledger.open(
                new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 1))) {
            Flyway.configure()
                    .dataSource(database.jdbcUrl(), database.user(), database.password())
                    .schemas("onbeat")
                    .locations("classpath:io/onbeat/ledger/migrations")
                    .target("1")
                    .load()
                    .migrate();
            assertThat(ledger.lacks().orElseThrow())
                    .contains("has version 1 of its schema, and this process needs version ");

            ledger.migrate();

            assertThat(ledger.lacks()).isEmpty();
        } finally {
            TestServices.dropDatabase(database);
        }
    }

    /** A process of the version before works on with the schema, see docs/operations.md. */
    @Test
    void noMigrationAfterTheFirstTakesAnythingAway() throws IOException, URISyntaxException {
        Path migrations = Path.of(
                        Ledger.class.getResource("migrations/V1__ledger.sql").toURI())
                .getParent();
        try (Stream<Path> files = Files.list(migrations)) {
            for (Path file :
                    files.filter(each -> !each.endsWith("V1__ledger.sql")).toList()) {
                String sql = Files.readString(file).replaceAll("--.*", "").toLowerCase(Locale.ROOT);
                assertThat(sql)
                        .as(file.getFileName().toString())
                        .doesNotContainPattern("\\b(drop (table|column|type|function)|rename|truncate)\\b")
                        .doesNotContainPattern("alter column \\S+ (set data )?type");
            }
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
