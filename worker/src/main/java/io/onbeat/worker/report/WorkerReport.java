package io.onbeat.worker.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Workers;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The worker's row in the ledger. */
public final class WorkerReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Workers.Identity identity;
    private final Tally tally;

    public WorkerReport(String id, Map<String, Integer> queues, Collection<String> tasks, Tally tally) {
        this.tally = tally;
        this.identity =
                new Workers.Identity(id, host(), ProcessHandle.current().pid(), version(), json(queues), json(tasks));
    }

    /** @param state up, draining or stopped */
    public void write(Ledger ledger, String state, int running) throws SQLException {
        Tally.Counts counts = tally.counts();
        Map<String, String> claimedUpTo = tally.claimedUpTo().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toString()));
        Workers.report(
                ledger,
                identity,
                state,
                new Workers.Counts(
                        running,
                        counts.claimed(),
                        counts.succeeded(),
                        counts.failed(),
                        counts.duplicates(),
                        counts.lost(),
                        json(claimedUpTo)));
    }

    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return Optional.ofNullable(System.getenv("HOSTNAME")).orElse("localhost");
        }
    }

    private static String version() {
        return Optional.ofNullable(WorkerReport.class.getPackage().getImplementationVersion())
                .orElse("dev");
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
