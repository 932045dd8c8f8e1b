package io.onbeat.local;

/** A RabbitMQ that answers: one that was started here, or one that the environment names. */
public sealed interface RabbitServer extends AutoCloseable permits LocalRabbit, GivenRabbit {
    /** With user, password and the virtual host {@code /}. */
    String amqpUrl();

    /** The same broker and user at another virtual host. */
    String amqpUrl(String vhost);

    String managementUrl();

    String user();

    String password();

    default ManagementApi management() {
        return new ManagementApi(managementUrl(), user(), password());
    }

    /** Stops in good order. */
    void stop();

    /** As if the process had crashed. */
    void kill();

    /** Starts again after a stop or kill, on the same ports and data. */
    void start();

    /** Stops what was started here and frees its folder; a given broker is left alone. */
    @Override
    void close();

    /** Like {@link #close()}, but quick, since nobody needs the data any more. */
    void discard();
}
