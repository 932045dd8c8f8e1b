package io.onbeat.broker;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Where the broker is.
 *
 * @param url {@code amqp://host:5672/vhost} or {@code amqps://…}; user and password are given apart
 * @param namespace the prefix of every exchange and queue
 */
public record BrokerSettings(String url, String user, String password, String namespace) {

    /** The same broker and user, on another virtual host. */
    public BrokerSettings withVirtualHost(String name) {
        URI uri = URI.create(url);
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        return new BrokerSettings(
                uri.getScheme() + "://" + uri.getHost() + port + "/" + path, user, password, namespace);
    }

    @Override
    public String toString() {
        return url + " (user " + user + ")";
    }
}
