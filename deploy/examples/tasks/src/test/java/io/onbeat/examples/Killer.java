package io.onbeat.examples;

import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Cuts connections in the middle of a statement while a test works, up to a number: without one, work that takes longer than
 * the pause between two cuts would never get done.
 */
final class Killer {
    private final DemoDatabase database;
    private final String application;
    private final String duringStatement;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final FutureTask<Integer> cuts;

    private Killer(DemoDatabase database, String application, String duringStatement, int atMost) {
        this.database = database;
        this.application = application;
        this.duringStatement = duringStatement;
        this.cuts = new FutureTask<>(() -> cut(atMost));
    }

    static Killer start(DemoDatabase database, String application, String duringStatement, int atMost) {
        Killer killer = new Killer(database, application, duringStatement, atMost);
        new Thread(killer.cuts, "killer").start();
        return killer;
    }

    private int cut(int atMost) throws SQLException {
        int cuts = 0;
        while (cuts < atMost && !done.isDone()) {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(3))
                    .timeout(Duration.ofMinutes(5))
                    .until(() -> done.isDone() || database.cut(application, duringStatement));
            cuts += done.isDone() ? 0 : 1;
        }
        return cuts;
    }

    /** @return how many connections were cut */
    int stop() throws Exception {
        done.complete(null);
        return cuts.get(30, TimeUnit.SECONDS);
    }
}
