package io.onbeat.local;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** The server that ONBEAT_DATABASE_URL names. It is used and never stopped. */
record GivenPostgres(URI address, String user, String password) implements PostgresServer {
    private static final String JDBC = "jdbc:";

    static Optional<GivenPostgres> from(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("ONBEAT_DATABASE_URL"))
                .filter(url -> !url.isBlank())
                .map(url -> new GivenPostgres(
                        address(url),
                        environment.getOrDefault("ONBEAT_DATABASE_USER", ""),
                        environment.getOrDefault("ONBEAT_DATABASE_PASSWORD", "")));
    }

    private static URI address(String url) {
        if (!url.startsWith("jdbc:postgresql://")) {
            throw new ServiceFailure(
                    "ONBEAT_DATABASE_URL is " + url + ": write it as jdbc:postgresql://HOST:PORT/DATABASE");
        }
        return URI.create(url.substring(JDBC.length()));
    }

    /** The URL as it was given. */
    String url() {
        return JDBC + address;
    }

    @Override
    public String jdbcUrl(String database) {
        String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
        return JDBC + "postgresql://" + address.getRawAuthority() + "/" + database + query;
    }

    @Override
    public int port() {
        return address.getPort() < 0 ? 5432 : address.getPort();
    }

    @Override
    public void stop() {
        throw refused("stop");
    }

    @Override
    public void kill() {
        throw refused("kill");
    }

    @Override
    public void restart() {
        throw refused("restart");
    }

    private UnsupportedOperationException refused(String word) {
        return new UnsupportedOperationException("will not " + word + " the PostgreSQL at " + address.getRawAuthority()
                + ": it was given by ONBEAT_DATABASE_URL, not started here");
    }

    @Override
    public void close() {
        // not ours
    }

    @Override
    public void discard() {
        // not ours
    }
}
