package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;

/** A command that asks the ledger, found by the same settings as a beat's. */
abstract class LedgerCommand extends CliCommand {

    @Override
    final void run(Output output) throws Exception {
        Settings source = Settings.of(environment());
        ServerSettings servers = ServerSettings.read(source);
        source.check();
        try (Ledger ledger = Ledger.open(servers.ledger())) {
            run(output, ledger, servers);
        } catch (SQLException failure) {
            throw new Failed(LedgerTrouble.explain(failure, servers.ledger()), failure);
        }
    }

    abstract void run(Output output, Ledger ledger, ServerSettings servers) throws Exception;

    /** How the audit names who is at the keyboard. */
    static String actor() {
        return "cli:" + System.getProperty("user.name", "unknown");
    }
}
