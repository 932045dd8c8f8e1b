package io.onbeat.verify.faults.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.local.Database;
import io.onbeat.local.TestServices;
import io.onbeat.verify.system.Books;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen while it lasts is known at the end, though the database has forgotten it. */
class WatchTest {
    private final Database database = TestServices.freshDatabase();
    private final Ledger ledger =
            Ledger.open(new LedgerSettings(database.jdbcUrl(), database.user(), database.password(), "onbeat", 2));
    private final Books books = new Books(ledger);

    @TempDir
    private Path folder;

    @BeforeEach
    void migrate() {
        ledger.migrate();
    }

    @AfterEach
    void close() {
        ledger.close();
        TestServices.dropDatabase(database);
    }

    private static void awaitOnly(Watch watch, String invariant) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !watch.violations().isEmpty());
        assertThat(watch.violations()).extracting(Violation::invariant).containsOnly(invariant);
    }

    private void look(Watch watch) throws SQLException {
        try (Connection connection = ledger.connection()) {
            watch.look(connection);
        }
    }

    @Test
    void aWatermarkThatFallsIsSeen() throws Exception {
        books.execute(
                "insert into schedule (name, spec, hash, rule_hash, watermark) values ('s', '{}', '', '', now())");
        try (Watch watch = new Watch(books)) {
            look(watch);
            books.execute(
                    "set session_replication_role = replica; update schedule set watermark = now() - interval '1 h';"
                            + " set session_replication_role = origin");
            awaitOnly(watch, Watch.WATERMARK);
        }
    }

    @Test
    void aTermThatFallsIsSeen() throws Exception {
        books.execute("insert into leader values ('beat', 'a', 7, now())");
        try (Watch watch = new Watch(books)) {
            look(watch);
            books.execute("update leader set term = 6");
            awaitOnly(watch, Watch.TERM);
        }
    }

    @Test
    void aDeadlockIsSeen() throws Exception {
        books.execute("create table pair (id int); insert into pair values (1), (2)");
        try (Watch watch = new Watch(books);
                Connection one = open();
                Connection two = open()) {
            look(watch);
            lock(one, 1);
            lock(two, 2);
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> isVictim(one, 2));
            boolean victim = isVictim(two, 1);
            assertThat(victim || waiting.join()).isTrue();
            awaitOnly(watch, Watch.DEADLOCK);
        }
    }

    @Test
    void aDeadlockThatOnlyTheServersLogHasIsSeen() throws Exception {
        Path log = Files.writeString(folder.resolve("postgres.log"), "ERROR:  deadlock detected, before its time\n");
        try (Watch watch = new Watch(books, log)) {
            assertThat(watch.violations()).isEmpty();
            Files.writeString(log, "ERROR:  deadlock detected\n", StandardOpenOption.APPEND);
            awaitOnly(watch, Watch.DEADLOCK);
        }
    }

    @Test
    void aDatabaseThatThrowsItsClientsOutIsLookedAtAgain() throws Exception {
        books.execute("insert into leader values ('beat', 'a', 7, now())");
        try (Watch watch = new Watch(books)) {
            look(watch);
            books.texts(
                    "select pg_terminate_backend(pid)::text from pg_stat_activity where datname = current_database()"
                            + " and pid <> pg_backend_pid()");
            books.execute("update leader set term = 6");
            awaitOnly(watch, Watch.TERM);
        }
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        connection.setAutoCommit(false);
        connection.setSchema("onbeat");
        return connection;
    }

    private static void lock(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select from pair where id = " + id + " for update");
        }
    }

    // the server ends one of two that wait in a circle
    private static boolean isVictim(Connection connection, int id) {
        try {
            lock(connection, id);
            return false;
        } catch (SQLException ended) {
            return rolledBack(connection);
        } finally {
            rolledBack(connection);
        }
    }

    private static boolean rolledBack(Connection connection) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
