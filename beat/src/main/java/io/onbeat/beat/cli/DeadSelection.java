package io.onbeat.beat.cli;

import io.onbeat.ledger.DeadRuns;
import io.onbeat.ledger.DeadRuns.DeadRun;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.RunView;
import io.onbeat.run.RunState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The dead runs that {@code replay} and {@code discard} are for. */
final class DeadSelection {
    @Parameters(arity = "0..*", paramLabel = "KEY", description = "Run keys, as onbeat dead list shows them.")
    private List<String> keys = new ArrayList<>();

    @Option(names = "--schedule", paramLabel = "NAME", description = "All dead runs of this schedule.")
    private Optional<String> schedule;

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "All dead runs whose error has this text in it; with --schedule, those of that schedule.")
    private Optional<String> error;

    @Option(names = "--all", description = "All dead runs.")
    private boolean all;

    /** @throws Failed for a key whose run is not dead */
    List<DeadRun> find(Ledger ledger) throws SQLException {
        boolean filtered = schedule.isPresent() || error.isPresent();
        int ways = (keys.isEmpty() ? 0 : 1) + (filtered ? 1 : 0) + (all ? 1 : 0);
        if (ways != 1) {
            throw new UsageError(
                    (ways == 0 ? "say which" : "say it in one way only") + ": KEY, --schedule, --error or --all");
        }
        List<String> wanted = List.copyOf(new LinkedHashSet<>(keys));
        try (Connection connection = ledger.connection()) {
            List<DeadRun> found = DeadRuns.find(connection, new DeadRuns.Selection(wanted, schedule, error));
            if (found.size() < wanted.size()) {
                throw notDead(connection, wanted, found);
            }
            if (found.isEmpty() && schedule.isPresent()) {
                KnownSchedules.check(connection, "--schedule: ", schedule.get());
            }
            return found;
        }
    }

    private static RuntimeException notDead(Connection connection, List<String> wanted, List<DeadRun> found)
            throws SQLException {
        Set<String> dead = found.stream().map(DeadRun::key).collect(Collectors.toSet());
        String key = wanted.stream().filter(k -> !dead.contains(k)).findFirst().orElseThrow();
        RunView run = KnownRuns.get(connection, key);
        String others = wanted.size() > 1 ? "; nothing was done" : "";
        return new Failed(key + " is not dead but " + run.state().word() + others
                + (run.state() == RunState.CANCELLED ? ": onbeat trigger starts a new run" : ""));
    }
}
