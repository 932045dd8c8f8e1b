package io.onbeat.verify.faults;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onbeat.local.FakeTime;
import io.onbeat.local.ManagementApi;
import io.onbeat.local.ServiceFailure;
import io.onbeat.verify.faults.check.Violation;
import io.onbeat.verify.system.Cluster;
import io.onbeat.verify.system.OwnServers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two beats, three workers and their servers, with a network between them that faults can get at. */
final class Rig implements AutoCloseable {
    static final List<String> SLOTS = List.of("beat-1", "beat-2", "worker-1", "worker-2", "worker-3");

    private static final Map<String, String> SETTINGS = Map.of(
            "ONBEAT_QUEUES", Load.QUEUE + ":8," + Load.SLOW_QUEUE + ":4",
            "ONBEAT_DRAIN", "4s",
            // below the time that some tasks take: their messages are acknowledged early
            "ONBEAT_ACK_HANDOVER", "5s");

    private final Cluster cluster;
    private final OwnServers servers;
    private final Map<String, Slot> slots = new TreeMap<>();

    Rig(Cluster cluster, Consumer<Violation> trouble) {
        this.cluster = cluster;
        this.servers = (OwnServers) cluster.servers();
        for (String name : SLOTS) {
            TcpProxy database =
                    new TcpProxy(name + ">database", servers.postgres().port());
            TcpProxy broker = new TcpProxy(name + ">broker", amqpPort());
            Map<String, String> settings = settings(database, broker);
            slots.put(name, new Slot(name, cluster, settings, database, broker, clock(name), trouble));
        }
    }

    private Optional<FakeTime> clock(String name) {
        try {
            return Optional.of(FakeTime.in(cluster.folder().resolve(name + ".clock")));
        } catch (ServiceFailure notOnThisMachine) {
            return Optional.empty();
        }
    }

    private Map<String, String> settings(TcpProxy database, TcpProxy broker) {
        Map<String, String> settings = new TreeMap<>(SETTINGS);
        settings.put(
                "ONBEAT_DATABASE_URL",
                through(database, servers.postgres().port(), servers.database().jdbcUrl()));
        settings.put(
                "ONBEAT_AMQP_URL", through(broker, amqpPort(), servers.vhost().amqpUrl()));
        return settings;
    }

    private static String through(TcpProxy proxy, int port, String url) {
        return url.replace(":" + port + "/", ":" + proxy.port() + "/");
    }

    private int amqpPort() {
        return URI.create(servers.vhost().amqpUrl()).getPort();
    }

    void start() {
        slots.values().forEach(Slot::start);
    }

    Cluster cluster() {
        return cluster;
    }

    OwnServers servers() {
        return servers;
    }

    Slot slot(String name) {
        return slots.get(name);
    }

    /** @param place like {@code worker-1>broker} */
    TcpProxy proxy(String place) {
        String[] ends = place.split(">");
        Slot slot = slot(ends[0]);
        return ends[1].equals("broker") ? slot.broker() : slot.database();
    }

    Stream<Slot> slots() {
        return slots.values().stream();
    }

    List<String> taskQueues() {
        return List.of(Load.QUEUE, Load.SLOW_QUEUE);
    }

    void purge(String queue) {
        servers.management()
                .delete("/api/queues/" + ManagementApi.encode(servers.vhost().name()) + "/"
                        + ManagementApi.encode(Cluster.NAMESPACE + ".task." + queue) + "/contents");
    }

    /** A connection to the broker itself, past every fault of the network. */
    Connection amqp() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(servers.rabbit().amqpUrl());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(5_000);
        return factory.newConnection("faults");
    }

    @Override
    public void close() {
        slots.values().parallelStream().forEach(Slot::close);
    }
}
