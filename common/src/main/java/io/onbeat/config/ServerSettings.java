package io.onbeat.config;

import io.onbeat.broker.BrokerSettings;
import io.onbeat.ledger.LedgerSettings;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The two servers that a beat, a worker and the command line share. */
public record ServerSettings(LedgerSettings ledger, BrokerSettings broker) {
    public static final String NAMESPACE = "ONBEAT_NAMESPACE";
    public static final String DATABASE_URL = "ONBEAT_DATABASE_URL";
    public static final String DATABASE_USER = "ONBEAT_DATABASE_USER";
    public static final String DATABASE_PASSWORD = "ONBEAT_DATABASE_PASSWORD";
    public static final String DATABASE_POOL = "ONBEAT_DATABASE_POOL";
    public static final String AMQP_URL = "ONBEAT_AMQP_URL";
    public static final String AMQP_USER = "ONBEAT_AMQP_USER";
    public static final String AMQP_PASSWORD = "ONBEAT_AMQP_PASSWORD";

    private static final String DEFAULT_DATABASE_URL = "jdbc:postgresql://127.0.0.1:5432/onbeat";
    private static final String DEFAULT_AMQP_URL = "amqp://127.0.0.1:5672/";

    public static ServerSettings read(Settings settings) {
        String namespace = settings.parsed(NAMESPACE, "onbeat", ServerSettings::namespace);
        return new ServerSettings(ledger(settings, namespace), broker(settings, namespace));
    }

    private static LedgerSettings ledger(Settings settings, String namespace) {
        String url = settings.parsed(DATABASE_URL, DEFAULT_DATABASE_URL, ServerSettings::databaseUrl);
        return new LedgerSettings(
                url,
                settings.text(DATABASE_USER, "onbeat"),
                settings.secret(DATABASE_PASSWORD).orElse("onbeat"),
                namespace,
                settings.number(DATABASE_POOL, 8, 2, 100));
    }

    private static BrokerSettings broker(Settings settings, String namespace) {
        URI uri = URI.create(settings.parsed(AMQP_URL, DEFAULT_AMQP_URL, ServerSettings::amqpUrl));
        String[] given = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        String user = settings.text(AMQP_USER, given.length > 0 ? decoded(given[0]) : "guest");
        String password = settings.secret(AMQP_PASSWORD).orElse(given.length > 1 ? decoded(given[1]) : "guest");
        String path = uri.getRawPath() == null || uri.getRawPath().equals("/") ? "" : uri.getRawPath();
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        return new BrokerSettings(uri.getScheme() + "://" + uri.getHost() + port + path, user, password, namespace);
    }

    private static String namespace(String text) {
        if (!text.matches("[a-z][a-z0-9_]{0,39}")) {
            throw new IllegalArgumentException("must be 1 to 40 of a-z, 0-9 and _, and start with a letter");
        }
        return text;
    }

    private static String databaseUrl(String text) {
        if (!text.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException("does not start with jdbc:postgresql:");
        }
        if (text.contains("password=")) {
            throw new IllegalArgumentException("holds a password: give it as " + DATABASE_PASSWORD);
        }
        return text;
    }

    private static String amqpUrl(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && Set.of("amqp", "amqps").contains(uri.getScheme())) {
                return text;
            }
        } catch (IllegalArgumentException wrong) {
            // the same answer as for a URL of another kind
        }
        throw new IllegalArgumentException("is not like amqp://host:5672/vhost");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
