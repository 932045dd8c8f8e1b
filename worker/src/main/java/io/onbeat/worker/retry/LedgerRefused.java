package io.onbeat.worker.retry;

/** The ledger answered that it cannot take these values: asking again would end alike. */
public final class LedgerRefused extends Exception {
    LedgerRefused(Exception reason) {
        super(String.valueOf(reason.getMessage()).lines().findFirst().orElse("no reason given"), reason);
    }
}
