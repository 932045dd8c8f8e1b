package io.onbeat.ledger;

import java.util.regex.Pattern;

/**
 * Where the ledger is.
 *
 * @param url a JDBC URL, {@code jdbc:postgresql://host:5432/database}, without user or password
 * @param namespace the schema that holds the ledger; also the prefix of every exchange and queue
 */
public record LedgerSettings(String url, String user, String password, String namespace, int poolSize) {
    private static final Pattern NAMESPACE = Pattern.compile("[a-z][a-z0-9_]{0,39}");

    public LedgerSettings {
        if (!NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "namespace '" + namespace + "' must be 1 to 40 of a-z, 0-9 and _, and start with a letter");
        }
        if (poolSize < 1) {
            throw new IllegalArgumentException("pool size " + poolSize + " must be at least 1");
        }
    }

    @Override
    public String toString() {
        return url + " (schema " + namespace + ", user " + user + ")";
    }
}
