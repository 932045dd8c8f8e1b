package io.onbeat.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Opens connections to the broker, and reads what it says. Reconnecting is their owners' work: they know what was in flight. */
public final class Brokers {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int HEARTBEAT_SECONDS = 10;

    private Brokers() {}

    /** @param name shown in the management console */
    public static Connection connect(BrokerSettings settings, String name) throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(settings.url());
        } catch (URISyntaxException | GeneralSecurityException wrong) {
            throw new IOException("the broker URL " + settings.url() + " is not valid: " + wrong.getMessage(), wrong);
        }
        factory.setUsername(settings.user());
        factory.setPassword(settings.password());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setConnectionTimeout((int) CONNECT_TIMEOUT.toMillis());
        factory.setHandshakeTimeout((int) CONNECT_TIMEOUT.toMillis());
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setShutdownTimeout(1_000);
        try {
            return factory.newConnection(name);
        } catch (TimeoutException late) {
            throw new IOException(
                    "the broker at " + settings + " did not answer in " + CONNECT_TIMEOUT.toSeconds() + " s", late);
        }
    }

    static int majorVersion(Connection connection) {
        String version = String.valueOf(connection.getServerProperties().get("version"));
        try {
            return Integer.parseInt(version.split("\\.")[0]);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }

    /** The AMQP reply code behind a refused operation; 0 where there is none. */
    public static int replyCode(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException shutdown) {
                if (shutdown.getReason() instanceof AMQP.Channel.Close close) {
                    return close.getReplyCode();
                }
                if (shutdown.getReason() instanceof AMQP.Connection.Close close) {
                    return close.getReplyCode();
                }
            }
        }
        return 0;
    }
}
