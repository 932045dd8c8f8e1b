package io.onbeat.worker.claim;

import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Replays;
import io.onbeat.ledger.Runs;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Origin;
import io.onbeat.schedule.RetryPolicy;
import io.onbeat.worker.report.Tally;
import io.onbeat.worker.retry.LedgerRefused;
import io.onbeat.worker.retry.PatientLedger;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages that need the ledger's attention before they can be claimed: those of outside publishers, whose runs are written
 * here, and those that an operator moved here from a dead queue, whose runs are set going again.
 */
final class Adoption {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final PatientLedger ledger;
    private final Tally tally;

    Adoption(PatientLedger ledger, Tally tally) {
        this.ledger = ledger;
        this.tally = tally;
    }

    /** Gives every message the id of its run. */
    List<Wished> identify(List<Wished> messages) throws InterruptedException, LedgerRefused {
        List<Wished> outside = new ArrayList<>();
        List<Wished> replays = new ArrayList<>();
        List<Wished> ready = new ArrayList<>();
        for (Wished each : messages) {
            if (each.isOutside()) {
                outside.add(each.asFirst());
            } else if (each.isReplay()) {
                replays.add(each);
            } else {
                ready.add(each);
            }
        }
        if (!outside.isEmpty()) {
            ready.addAll(ledger.ask("adopt runs", open -> adopt(open, outside)));
            CrashPoint.ADOPTED.pass();
        }
        if (!replays.isEmpty()) {
            ready.addAll(ledger.ask("replay runs", open -> replay(open, replays)));
            CrashPoint.REPLAYED.pass();
        }
        return ready;
    }

    /** Those whose run is in the ledger under another id than the message says. */
    List<Wished> byKey(List<Wished> messages) throws InterruptedException, LedgerRefused {
        return ledger.ask(
                "find runs",
                open -> open.transaction(connection -> {
                    Map<String, Long> ids = Runs.ids(
                            connection, messages.stream().map(Wished::key).toList());
                    return withIds(messages, ids);
                }));
    }

    private List<Wished> adopt(Ledger open, List<Wished> messages) throws SQLException {
        Instant now = open.now();
        Map<String, NewRun> runs = new HashMap<>();
        messages.forEach(each ->
                runs.putIfAbsent(each.key(), run(each.message().received().message(), now)));
        return open.transaction(connection -> {
            tally.adopted(Runs.insert(connection, List.copyOf(runs.values())).size());
            return withIds(messages, Runs.ids(connection, runs.keySet()));
        });
    }

    private List<Wished> replay(Ledger open, List<Wished> messages) throws SQLException {
        return open.transaction(connection -> {
            List<Wished> known = withIds(
                    messages,
                    Runs.ids(connection, messages.stream().map(Wished::key).toList()));
            List<Replays.DeadRun> dead = known.stream()
                    .map(each -> new Replays.DeadRun(
                            each.attempt().runId(), each.attempt().number() - 1))
                    .toList();
            tally.replayed(Replays.replay(connection, dead).size());
            return known;
        });
    }

    // a message without a run keeps the id it came with: the claim will say that it is unknown
    private static List<Wished> withIds(List<Wished> messages, Map<String, Long> ids) {
        return messages.stream()
                .map(each -> Optional.ofNullable(ids.get(each.key()))
                        .map(each::withId)
                        .orElse(each))
                .toList();
    }

    private static NewRun run(TaskMessage message, Instant now) {
        return new NewRun(
                message.attempt().runKey(),
                Optional.empty(),
                Optional.empty(),
                message.task(),
                message.queue(),
                Origin.OUTSIDE,
                message.fireAt().equals(Instant.EPOCH) ? now : message.fireAt(),
                message.args(),
                TIMEOUT,
                RetryPolicy.DEFAULT.toJson(),
                RetryPolicy.DEFAULT.maxAttempts(),
                false,
                false,
                Optional.empty(),
                Optional.empty());
    }
}
