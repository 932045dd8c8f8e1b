package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;

/** A command that asks the ledger, found by the same settings as a beat's. */
abstract class LedgerCommand extends CliCommand {

    @Override
    final void run(Output output) throws Exception {
        AtLedger.run(environment(), (ledger, servers) -> run(output, ledger, servers));
    }

    abstract void run(Output output, Ledger ledger, ServerSettings servers) throws Exception;

    /** How the audit names who is at the keyboard. */
    static String actor() {
        return "cli:" + System.getProperty("user.name", "unknown");
    }
}
