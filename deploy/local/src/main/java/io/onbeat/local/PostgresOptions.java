package io.onbeat.local;

import java.util.Optional;

/**
 * @param fsync false gives up durability for speed: for tests that do not crash the server
 * @param port the port to take where it is free
 */
public record PostgresOptions(boolean fsync, Optional<Integer> port) {
    public static PostgresOptions durable() {
        return new PostgresOptions(true, Optional.empty());
    }

    public static PostgresOptions fast() {
        return new PostgresOptions(false, Optional.empty());
    }

    public PostgresOptions onPort(int preferred) {
        return new PostgresOptions(fsync, Optional.of(preferred));
    }
}
