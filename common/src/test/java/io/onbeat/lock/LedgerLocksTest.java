package io.onbeat.lock;

import io.onbeat.ledger.TestLedger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LedgerLocksTest extends LockContract {
    private static TestLedger ledger;

    @BeforeAll
    static void openLedger() {
        ledger = new TestLedger();
    }

    @AfterAll
    static void closeLedger() {
        ledger.close();
    }

    @Override
    LockStore open() {
        return new LedgerLocks(ledger.ledger());
    }
}
