package io.onbeat.local;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The broker that ONBEAT_AMQP_URL names, with its management pages at ONBEAT_MANAGEMENT_URL. It is used and never stopped. */
record GivenRabbit(URI address, String managementUrl) implements RabbitServer {
    static Optional<GivenRabbit> from(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("ONBEAT_AMQP_URL"))
                .filter(url -> !url.isBlank())
                .map(GivenRabbit::address)
                .map(address -> new GivenRabbit(
                        address,
                        environment.getOrDefault("ONBEAT_MANAGEMENT_URL", "http://" + address.getHost() + ":15672")));
    }

    private static URI address(String url) {
        URI address = URI.create(url);
        if (!url.startsWith("amqp") || address.getHost() == null) {
            throw new ServiceFailure(
                    "ONBEAT_AMQP_URL is " + url + ": write it as amqp://USER:PASSWORD@HOST:PORT/VHOST");
        }
        return address;
    }

    @Override
    public String amqpUrl() {
        return address.toString();
    }

    @Override
    public String amqpUrl(String vhost) {
        return address.getScheme() + "://" + address.getRawAuthority() + "/" + ManagementApi.encode(vhost);
    }

    @Override
    public String user() {
        return credential(0, "guest");
    }

    @Override
    public String password() {
        return credential(1, "guest");
    }

    private String credential(int index, String otherwise) {
        String[] both = Optional.ofNullable(address.getRawUserInfo()).orElse("").split(":", 2);
        return both.length < 2 ? otherwise : URLDecoder.decode(both[index], StandardCharsets.UTF_8);
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
    public void start() {
        throw refused("start");
    }

    private UnsupportedOperationException refused(String word) {
        return new UnsupportedOperationException("will not " + word + " the RabbitMQ at " + address.getHost()
                + ": it was given by ONBEAT_AMQP_URL, not started here");
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
