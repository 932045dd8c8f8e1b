package io.onbeat.beat.cli;

import com.rabbitmq.client.Connection;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.QueueDepth;
import io.onbeat.broker.Topology;
import io.onbeat.config.ServerSettings;
import io.onbeat.ledger.Ledger;
import io.onbeat.schedule.Durations;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.StringJoiner;
import picocli.CommandLine.Command;

@Command(
        name = "queues",
        description = {
            "List the queues of the schedules, the workers and the runs under way, with what waits in the broker: messages"
                    + " ready, consumers, messages in each delay queue, dead messages.",
            "A dash: the broker has no such queue yet."
        },
        footer = {"", "Example:", "  onbeat queues"})
final class QueuesCommand extends LedgerCommand {

    /** What the broker has for one queue; the delay queues that are there, by delay. */
    private record Depths(Optional<QueueDepth> task, Map<String, Long> delays, Optional<QueueDepth> dead) {}

    @Override
    void run(Output output, Ledger ledger, ServerSettings servers) throws SQLException {
        SortedMap<String, SortedSet<Duration>> queues = KnownQueues.withDelays(ledger);
        Table table = new Table("QUEUE", "READY", "CONSUMERS", "DELAYED", "DEAD");
        List<Object> answer = new ArrayList<>();
        depths(servers, queues).forEach((queue, depths) -> {
            table.row(
                    queue,
                    depths.task().map(QueueDepth::ready),
                    depths.task().map(QueueDepth::consumers),
                    shown(depths.delays()),
                    depths.dead().map(QueueDepth::ready));
            answer.add(new Fields()
                    .add("queue", queue)
                    .add("ready", depths.task().map(QueueDepth::ready))
                    .add("consumers", depths.task().map(QueueDepth::consumers))
                    .add("delayed", depths.delays())
                    .add("dead", depths.dead().map(QueueDepth::ready))
                    .values());
        });
        output.people(table, "no queues are in use: no schedule, no worker, no run under way");
        output.answer(answer);
    }

    private static Map<String, Depths> depths(ServerSettings servers, Map<String, SortedSet<Duration>> queues) {
        Topology topology = new Topology(servers.broker().namespace());
        Map<String, Depths> depths = new LinkedHashMap<>();
        try (Connection connection = Brokers.connect(servers.broker(), "onbeat command line")) {
            for (Map.Entry<String, SortedSet<Duration>> queue : queues.entrySet()) {
                depths.put(queue.getKey(), depths(connection, topology, queue.getKey(), queue.getValue()));
            }
        } catch (IOException away) {
            throw new Failed(BrokerTrouble.explain(away, servers.broker()), away);
        }
        return depths;
    }

    private static Depths depths(Connection connection, Topology topology, String queue, SortedSet<Duration> delays)
            throws IOException {
        Map<String, Long> delayed = new LinkedHashMap<>();
        for (Duration delay : delays) {
            QueueDepth.of(connection, topology.retryQueue(queue, delay))
                    .ifPresent(depth -> delayed.put(Durations.format(delay), depth.ready()));
        }
        return new Depths(
                QueueDepth.of(connection, topology.taskQueue(queue)),
                delayed,
                QueueDepth.of(connection, topology.deadQueue(queue)));
    }

    private static Optional<String> shown(Map<String, Long> delays) {
        StringJoiner text = new StringJoiner(" ");
        delays.forEach((delay, ready) -> text.add(delay + ":" + ready));
        return delays.isEmpty() ? Optional.empty() : Optional.of(text.toString());
    }
}
