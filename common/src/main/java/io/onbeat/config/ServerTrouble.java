package io.onbeat.config;

import com.rabbitmq.client.PossibleAuthenticationFailureException;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.ledger.LedgerSettings;
import java.sql.SQLException;
import java.util.Optional;

/** Says in one line why a server does not serve us, and which setting or right would mend that; never a secret. */
public final class ServerTrouble {
    private ServerTrouble() {}

    /** Empty where the failure does not come from the database. */
    public static Optional<String> ofLedger(Throwable failure, LedgerSettings settings) {
        return said(failure)
                .map(said -> "the ledger at " + settings + ": " + reason(said)
                        + ledgerAdvice(String.valueOf(said.getSQLState())));
    }

    public static String ofBroker(Throwable failure, BrokerSettings settings) {
        return "the broker at " + settings + ": " + brokerReason(failure);
    }

    // the SQLSTATEs of https://www.postgresql.org/docs/current/errcodes-appendix.html
    private static String ledgerAdvice(String state) {
        return switch (state) {
            case "28P01", "28000" ->
                "; set " + ServerSettings.DATABASE_USER + " and " + ServerSettings.DATABASE_PASSWORD;
            case "42501" -> "; grant it to the user, or set " + ServerSettings.DATABASE_USER;
            case "3D000" -> "; create it, or set " + ServerSettings.DATABASE_URL;
            case "08001" -> "; start it, or set " + ServerSettings.DATABASE_URL;
            default -> "";
        };
    }

    private static String brokerReason(Throwable failure) {
        String reason = "no answer";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PossibleAuthenticationFailureException) {
                return "it refused the user or the password; set " + ServerSettings.AMQP_USER + " and "
                        + ServerSettings.AMQP_PASSWORD;
            }
            reason = firstLine(cause.getMessage()).orElse(reason);
        }
        return switch (Brokers.replyCode(failure)) {
            case 403 -> reason + "; give the user permissions on the virtual host";
            case 530 -> reason + "; create the virtual host, or set " + ServerSettings.AMQP_URL;
            case 0 -> reason + "; start it, or set " + ServerSettings.AMQP_URL;
            default -> reason;
        };
    }

    // the pool and the migration tool put words of their own around the driver's
    private static Optional<SQLException> said(Throwable failure) {
        Optional<SQLException> deepest = Optional.empty();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException said && said.getMessage() != null) {
                deepest = Optional.of(said);
            }
        }
        return deepest;
    }

    // the first sentence, without its severity; the driver's own advice follows it
    private static String reason(SQLException said) {
        return said.getMessage().strip().split("\\.\\s|\\R", 2)[0].replaceFirst("^(ERROR|FATAL): ", "");
    }

    private static Optional<String> firstLine(String text) {
        return Optional.ofNullable(text).flatMap(t -> t.lines().findFirst()).filter(line -> !line.isBlank());
    }
}
