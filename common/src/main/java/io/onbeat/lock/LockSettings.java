package io.onbeat.lock;

import io.onbeat.config.Settings;
import io.onbeat.ledger.Ledger;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** Where locks are kept: in the ledger, unless a Redis is named. */
public record LockSettings(Optional<Redis> redis) {
    public static final String URL = "ONBEAT_LOCK_URL";
    public static final String PASSWORD = "ONBEAT_LOCK_PASSWORD";

    /** @param url without a password */
    public record Redis(String url, Optional<String> password) {
        @Override
        public String toString() {
            return url;
        }
    }

    public static LockSettings read(Settings settings) {
        Optional<String> password = settings.secret(PASSWORD);
        String url = settings.parsed(URL, "", LockSettings::url);
        if (url.isEmpty()) {
            password.ifPresent(
                    unused -> settings.problem(PASSWORD + " belongs to no server: set " + URL + ", or leave it out"));
            return new LockSettings(Optional.empty());
        }
        return new LockSettings(Optional.of(new Redis(url, password)));
    }

    public LockStore open(Ledger ledger) {
        return redis.<LockStore>map(server -> new RedisLocks(server, ledger.namespace()))
                .orElseGet(() -> new LedgerLocks(ledger));
    }

    private static String url(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && Set.of("redis", "rediss").contains(String.valueOf(uri.getScheme()))) {
                if (uri.getRawUserInfo() != null && uri.getRawUserInfo().contains(":")) {
                    throw new IllegalArgumentException("holds a password: give it as " + PASSWORD);
                }
                return text;
            }
        } catch (IllegalArgumentException wrong) {
            if (wrong.getMessage() != null && wrong.getMessage().contains(PASSWORD)) {
                throw wrong;
            }
        }
        throw new IllegalArgumentException("is not like redis://host:6379/0");
    }
}
