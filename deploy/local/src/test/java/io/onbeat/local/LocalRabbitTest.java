package io.onbeat.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRabbitTest {
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    @TempDir
    Path folder;

    @Test
    void keepsItsMessagesThroughAKillAndATakenPortAndLeavesNothing() throws Exception {
        try (LocalRabbit server = LocalRabbit.startOwn(folder, RabbitOptions.watched())) {
            assertThat(Files.getPosixFilePermissions(folder.resolve("password")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() -> LocalRabbit.startOwn(folder, RabbitOptions.watched()))
                    .isInstanceOf(FolderInUse.class);
            publish(server, "still here");
            await().until(this::theQueueIsRegisteredOnDisk);
            server.kill();
            assertThat(new Ports(folder.resolve("ports")).pick("amqp", Optional.empty()))
                    .isEqualTo(port(server));
            server.start();
            assertThat(get(server)).isEqualTo("still here");
            assertThat(server.management().get("/api/overview"))
                    .contains("onbeat")
                    .contains(askedFor());
            Set<ProcessHandle> all = Processes.below(ProcessHandle.current().pid());
            assertThat(Processes.runs(all, "/epmd")).isTrue();
            server.discard();
            assertThat(Processes.runs(all, "/beam.smp")).isFalse();
            assertThat(Processes.runs(all, "/epmd")).isFalse();
        }
        int known = new Ports(folder.resolve("ports")).pick("amqp", Optional.empty());
        try (ServerSocket taken = new ServerSocket(known, 1, InetAddress.getByName("127.0.0.1"));
                LocalRabbit server = LocalRabbit.startOwn(folder, RabbitOptions.watched())) {
            assertThat(port(server)).isNotEqualTo(taken.getLocalPort());
            server.discard();
        }
    }

    /** The version, as far as {@code ./onbeat test --rabbitmq} says it. */
    private static String askedFor() {
        boolean four = System.getenv().getOrDefault("ONBEAT_LOCAL_RABBITMQ", "").endsWith("/rabbitmq-4");
        return "\"rabbitmq_version\":\"" + (four ? "4." : "");
    }

    @Test
    void startsTheServerThatTheEnvironmentNames() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Map<String, String> environment = Map.of("ONBEAT_LOCAL_RABBITMQ", folder.toString());
        assertThatThrownBy(() -> RabbitPrograms.given(environment))
                .isInstanceOf(ServiceFailure.class)
                .hasMessageContaining("there is no program " + bin.resolve("rabbitmq-server"));
        for (String program : new String[] {"rabbitmq-server", "epmd"}) {
            Files.createFile(
                    bin.resolve(program),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        assertThat(RabbitPrograms.given(environment))
                .contains(new RabbitPrograms(bin.resolve("rabbitmq-server"), bin.resolve("epmd")));
        assertThat(RabbitPrograms.given(Map.of("ONBEAT_LOCAL_RABBITMQ", " "))).isEmpty();
        assertThat(RabbitPrograms.given(Map.of())).isEmpty();
    }

    /** A broker killed before it has written down a new quorum queue's name forgets that the queue is its own. */
    private boolean theQueueIsRegisteredOnDisk() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            Path names = files.filter(file ->
                            file.endsWith("names.dets") && file.toString().contains("/quorum/"))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(names, StandardCharsets.ISO_8859_1).contains("kept");
        }
    }

    private static int port(LocalRabbit server) throws Exception {
        return factory(server).getPort();
    }

    private static ConnectionFactory factory(LocalRabbit server) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server.amqpUrl());
        return factory;
    }

    private static void publish(LocalRabbit server, String text) throws Exception {
        try (Connection connection = factory(server).newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare("kept", true, false, false, QUORUM);
            channel.confirmSelect();
            AMQP.BasicProperties persistent = MessageProperties.PERSISTENT_BASIC;
            channel.basicPublish("", "kept", persistent, text.getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(10_000);
        }
    }

    private static String get(LocalRabbit server) throws Exception {
        try (Connection connection = factory(server).newConnection();
                Channel channel = connection.createChannel()) {
            return new String(channel.basicGet("kept", true).getBody(), StandardCharsets.UTF_8);
        }
    }
}
