package io.onbeat.worker;

import io.onbeat.config.ServerTrouble;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import io.onbeat.worker.retry.GrowingDelay;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the ledger's schema is one that this worker can use: a beat brings it up to date. However long it takes, and
 * whether the database is there or not.
 */
final class Preparation {
    private static final Logger log = LoggerFactory.getLogger(Preparation.class);

    private final Ledger ledger;
    private final LedgerSettings settings;
    private volatile String problem = "the ledger was not looked at yet";

    Preparation(Ledger ledger, LedgerSettings settings) {
        this.ledger = ledger;
        this.settings = settings;
    }

    void untilDone() throws InterruptedException {
        GrowingDelay delay = GrowingDelay.forServers();
        while (!Thread.currentThread().isInterrupted()) {
            problem = look();
            if (problem.isEmpty()) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(delay.next().toNanos());
        }
        throw new InterruptedException();
    }

    private String look() {
        String before = problem;
        String now;
        try {
            now = ledger.lacks()
                    .map(lack -> lack + "; waiting for a beat of this version, which brings it there")
                    .orElse("");
        } catch (RuntimeException failed) {
            now = "cannot read the ledger's schema: " + reason(failed);
        }
        if (!now.isEmpty() && !now.equals(before)) {
            log.warn("{}; looking again until then", now);
        }
        return now;
    }

    Optional<String> problem() {
        return Optional.of(problem).filter(text -> !text.isEmpty());
    }

    private String reason(Throwable failed) {
        return ServerTrouble.ofLedger(failed, settings).orElse(String.valueOf(failed.getMessage()));
    }
}
