package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    @TempDir
    Path folder;

    @Test
    void aPortIsRememberedWhileItIsFree() throws Exception {
        Path file = folder.resolve("ports");
        int first = new Ports(file).pick("amqp", Optional.empty());
        assertThat(new Ports(file).pick("amqp", Optional.of(Ports.any()))).isEqualTo(first);

        try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(taken.isBound()).isTrue();
            int second = new Ports(file).pick("amqp", Optional.empty());
            assertThat(second).isNotEqualTo(first);
            assertThat(new Ports(file).pick("amqp", Optional.empty())).isEqualTo(second);
        }
    }

    @Test
    void aTakenPreferenceIsPassedOver() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Ports ports = new Ports(folder.resolve("ports"));
            assertThat(ports.pick("page", Optional.of(taken.getLocalPort()))).isNotEqualTo(taken.getLocalPort());
        }
    }
}
