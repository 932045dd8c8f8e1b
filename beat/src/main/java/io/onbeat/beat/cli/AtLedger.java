package io.onbeat.beat.cli;

import io.onbeat.config.ServerSettings;
import io.onbeat.config.Settings;
import io.onbeat.ledger.Ledger;
import java.sql.SQLException;
import java.util.Map;

/** Opens the ledger that a beat with the same settings has, and closes it again. */
final class AtLedger {
    private AtLedger() {}

    @FunctionalInterface
    interface Work {
        void run(Ledger ledger, ServerSettings servers) throws Exception;
    }

    @FunctionalInterface
    interface Question<T> {
        T ask(Ledger ledger, ServerSettings servers) throws Exception;
    }

    static void run(Map<String, String> environment, Work work) throws Exception {
        ask(environment, (ledger, servers) -> {
            work.run(ledger, servers);
            return true;
        });
    }

    static <T> T ask(Map<String, String> environment, Question<T> question) throws Exception {
        Settings source = Settings.of(environment);
        ServerSettings servers = ServerSettings.read(source);
        source.check();
        try (Ledger ledger = Ledger.open(servers.ledger())) {
            return question.ask(ledger, servers);
        } catch (SQLException failure) {
            throw new Failed(LedgerTrouble.explain(failure, servers.ledger()), failure);
        }
    }
}
