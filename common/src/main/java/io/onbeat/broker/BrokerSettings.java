package io.onbeat.broker;

/**
 * Where the broker is.
 *
 * @param url {@code amqp://host:5672/vhost} or {@code amqps://…}; user and password are given apart
 * @param namespace the prefix of every exchange and queue
 */
public record BrokerSettings(String url, String user, String password, String namespace) {

    @Override
    public String toString() {
        return url + " (user " + user + ")";
    }
}
