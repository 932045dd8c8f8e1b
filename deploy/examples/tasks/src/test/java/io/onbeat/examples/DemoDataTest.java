package io.onbeat.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DemoDataTest {
    private final DemoDatabase database = new DemoDatabase();
    private final DataSource source = database.source("demo");

    @AfterEach
    void drop() {
        database.close();
    }

    private String content() throws SQLException {
        return database.query("select (select count(*) || ' ' || sum(pending) from demo.account) || ' '"
                + " || (select count(*) || ' ' || sum(cents) || ' ' || sum(account_id) from demo.orders)");
    }

    private static final String CONTENT = "10000 2513189 50000 1249981763 250230377";

    @Test
    void isMadeOnceByManyAtATime() throws Exception {
        DemoDatabase.together(6, () -> {
            DemoData.ensure(source);
            return true;
        });
        assertThat(content()).isEqualTo(CONTENT);
    }

    @Test
    void isMadeAnewAfterAWorkerDiedOverIt() throws Exception {
        FutureTask<Void> first = new FutureTask<>(() -> {
            DemoData.ensure(source);
            return null;
        });
        CompletableFuture.runAsync(first);
        await().pollInterval(Duration.ofMillis(2)).until(() -> database.cut("demo", "insert into demo.orders"));
        assertThatThrownBy(first::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(SQLException.class);
        assertThat(database.query("select to_regclass('demo.account')")).isEqualTo("null");
        DemoData.ensure(source);
        assertThat(content()).isEqualTo(CONTENT);
    }
}
