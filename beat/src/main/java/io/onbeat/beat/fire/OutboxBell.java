package io.onbeat.beat.fire;

import io.onbeat.beat.Joining;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.ledger.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Rings as soon as another process has put something into the outbox. A convenience, no guarantee: who rings may be cut off,
 * or sit behind a pool that passes no notifications on, so that its hearer looks by itself as well, a little later.
 */
final class OutboxBell implements AutoCloseable {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LISTEN_FOR = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Ledger apart;
    private final Runnable hearer;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::loop, "outbox bell");

    OutboxBell(LedgerSettings settings, Runnable hearer) {
        this.apart = Ledger.openApart(settings, ANSWER_TIMEOUT);
        this.hearer = hearer;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closing.countDown();
        apart.close();
        Joining.join(thread, Duration.ofSeconds(2));
    }

    private void loop() {
        while (closing.getCount() > 0) {
            try (Connection connection = apart.connection()) {
                listen(connection);
            } catch (SQLException | RuntimeException cutOff) {
                pause();
            }
        }
    }

    private void listen(Connection connection) throws SQLException {
        Outbox.listen(connection);
        hearer.run();
        while (closing.getCount() > 0) {
            if (Outbox.heard(connection, LISTEN_FOR)) {
                hearer.run();
            }
        }
    }

    private void pause() {
        try {
            closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
