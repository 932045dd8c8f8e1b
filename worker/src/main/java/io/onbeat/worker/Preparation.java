package io.onbeat.worker;

import io.onbeat.config.ServerTrouble;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.worker.retry.GrowingDelay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the ledger's schema up to date, however long it takes until the database is there and allows it. */
final class Preparation {
    private static final Logger log = LoggerFactory.getLogger(Preparation.class);

    private final Ledger ledger;
    private final LedgerSettings settings;
    private volatile String problem = "the ledger is not prepared yet";

    Preparation(Ledger ledger, LedgerSettings settings) {
        this.ledger = ledger;
        this.settings = settings;
    }

    void untilDone() throws InterruptedException {
        GrowingDelay delay = GrowingDelay.forServers();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                ledger.migrate();
                problem = "";
                return;
            } catch (RuntimeException failed) {
                problem = "cannot prepare the ledger: " + reason(failed);
                Duration pause = delay.next();
                log.error("{}; trying again in {} ms", problem, pause.toMillis());
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        }
        throw new InterruptedException();
    }

    Optional<String> problem() {
        return Optional.of(problem).filter(text -> !text.isEmpty());
    }

    private String reason(Throwable failed) {
        return ServerTrouble.ofLedger(failed, settings).orElse(String.valueOf(failed.getMessage()));
    }
}
