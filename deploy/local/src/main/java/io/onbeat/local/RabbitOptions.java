package io.onbeat.local;

import java.util.Optional;

/**
 * @param port the AMQP port to take where it is free
 * @param managementPort the same for the management console
 * @param statsEvery milliseconds between two looks at queue depths: what the management API says is that old
 */
public record RabbitOptions(Optional<Integer> port, Optional<Integer> managementPort, int statsEvery) {
    public static RabbitOptions usual() {
        return new RabbitOptions(Optional.empty(), Optional.empty(), 5_000);
    }

    /** Fresh figures for tests that watch queues. */
    public static RabbitOptions watched() {
        return new RabbitOptions(Optional.empty(), Optional.empty(), 500);
    }

    public RabbitOptions onPorts(int amqp, int management) {
        return new RabbitOptions(Optional.of(amqp), Optional.of(management), statsEvery);
    }
}
