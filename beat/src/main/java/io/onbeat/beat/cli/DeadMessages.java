package io.onbeat.beat.cli;

import com.rabbitmq.client.Connection;
import io.onbeat.broker.BrokerSettings;
import io.onbeat.broker.Brokers;
import io.onbeat.broker.DeadQueue;
import io.onbeat.broker.Topology;
import io.onbeat.ledger.DeadRuns.DeadRun;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The messages of runs that are dead no more, taken out of the dead queues. Where that fails they stay, and the ledger lets
 * none of them start anything: it knows at which attempt a run is dead.
 */
final class DeadMessages {
    private DeadMessages() {}

    /** @param note what people should know about messages that may be left */
    record Outcome(int removed, Optional<String> note) {}

    static Outcome remove(BrokerSettings settings, List<DeadRun> runs) {
        if (runs.isEmpty()) {
            return new Outcome(0, Optional.empty());
        }
        Topology topology = new Topology(settings.namespace());
        Map<String, List<DeadRun>> byQueue =
                runs.stream().collect(Collectors.groupingBy(DeadRun::queue, TreeMap::new, Collectors.toList()));
        int removed = 0;
        boolean whole = true;
        try (Connection connection = Brokers.connect(settings, "onbeat command line")) {
            for (Map.Entry<String, List<DeadRun>> entry : byQueue.entrySet()) {
                DeadQueue.Removal removal =
                        DeadQueue.remove(connection, topology.deadQueue(entry.getKey()), attempts(entry.getValue()));
                removed += removal.removed();
                whole &= removal.whole();
            }
        } catch (IOException | RuntimeException away) {
            return new Outcome(
                    removed,
                    Optional.of(BrokerTrouble.explain(away, settings)
                            + "; stale messages stay in the dead queues, and do no harm"));
        }
        return new Outcome(
                removed,
                whole
                        ? Optional.empty()
                        : Optional.of("the dead queue is long, and was looked through in part; stale messages that stay"
                                + " do no harm"));
    }

    private static Map<String, Integer> attempts(List<DeadRun> runs) {
        return runs.stream().collect(Collectors.toMap(DeadRun::key, DeadRun::attempt));
    }
}
