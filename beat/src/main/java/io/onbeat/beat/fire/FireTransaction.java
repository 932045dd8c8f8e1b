package io.onbeat.beat.fire;

import io.onbeat.ledger.Leader;
import io.onbeat.ledger.NewRun;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Runs;
import io.onbeat.ledger.Schedules;
import io.onbeat.ledger.Schedules.Advance;
import io.onbeat.ledger.Skips;
import io.onbeat.message.TaskMessage;
import io.onbeat.run.Origin;
import io.onbeat.run.RunKey;
import io.onbeat.schedule.Overlap;
import io.onbeat.schedule.Schedule;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Turns judgements into runs, skips and an outbox entry: all of a batch in one transaction, or nothing of it. Invariant: a
 * fire is written only by the transaction that moves its schedule's watermark past it, so two beats write it once.
 */
final class FireTransaction {
    private FireTransaction() {}

    /**
     * What a transaction wrote.
     *
     * @param runs how many fires became runs
     * @param moved the ids of the schedules whose watermark moved; any other was moved or edited by somebody else before
     * @param entry the messages of the new runs, empty where there are none
     */
    record Fired(Set<Integer> moved, int runs, long skips, Optional<Outbox.Entry> entry) {}

    /**
     * Writes them. It needs no leadership: a watermark that somebody else has moved, an edit and a change by hand each make
     * a judgement void.
     */
    static Fired write(Connection connection, List<Judgement> judgements) throws SQLException {
        Map<Integer, Optional<Long>> moved = Schedules.advance(
                connection, judgements.stream().map(FireTransaction::advance).toList());
        List<Judgement> ours = judgements.stream()
                .filter(judgement -> moved.containsKey(judgement.schedule().id()))
                .toList();
        Batch batch = new Batch(Runs.active(connection, whereOverlapMatters(ours)), Periods.of(connection, ours));
        for (Judgement judgement : ours) {
            batch.take(judgement, moved.get(judgement.schedule().id()));
        }
        Optional<Outbox.Entry> entry = writeRuns(connection, batch.runs);
        long skips = writeSkips(connection, batch);
        return new Fired(moved.keySet(), batch.runs.size(), skips, entry);
    }

    static void confirmLeadership(Connection connection, Leader.Term term) throws SQLException {
        if (!Leader.confirm(connection, term)) {
            throw new LeadershipLost(term.owner(), term.term());
        }
    }

    private static Advance advance(Judgement judgement) {
        ActiveSchedule schedule = judgement.schedule();
        return new Advance(
                schedule.id(), schedule.hash(), schedule.byHand().revision(), judgement.from(), judgement.to());
    }

    private static List<Integer> whereOverlapMatters(List<Judgement> judgements) {
        return judgements.stream()
                .filter(judgement -> judgement.schedule().spec().policy().overlap() != Overlap.ALLOW)
                .filter(judgement -> judgement.runs() > 0)
                .map(judgement -> judgement.schedule().id())
                .toList();
    }

    private static Optional<Outbox.Entry> writeRuns(Connection connection, List<NewRun> runs) throws SQLException {
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> ids = Runs.insert(connection, runs);
        List<Long> runIds = new ArrayList<>(ids.size());
        List<TaskMessage> messages = new ArrayList<>(ids.size());
        SortedMap<Instant, List<Long>> later = new TreeMap<>();
        for (NewRun run : runs) {
            Long id = ids.remove(run.key());
            if (id == null || run.waiting()) {
                continue;
            }
            if (run.notBefore().isPresent()) {
                later.computeIfAbsent(run.notBefore().get(), time -> new ArrayList<>())
                        .add(id);
            } else {
                runIds.add(id);
                messages.add(run.firstMessage(id));
            }
        }
        Outbox.addLater(connection, later);
        if (runIds.isEmpty()) {
            return Optional.empty();
        }
        long entry = Outbox.add(connection, Outbox.Kind.TASK, runIds, Relay.HANDED_OVER_WITHIN);
        return Optional.of(new Outbox.Entry(entry, Outbox.Kind.TASK, runIds, 0, messages, List.of()));
    }

    private static long writeSkips(Connection connection, Batch batch) throws SQLException {
        List<Long> ids = Skips.add(connection, batch.skips);
        if (!batch.ends.isEmpty()) {
            Map<Integer, Optional<Long>> ends = new HashMap<>();
            batch.ends.forEach((schedule, place) -> ends.put(schedule, place.map(ids::get)));
            Schedules.rememberSkips(connection, ends);
        }
        return batch.skips.stream().mapToLong(skip -> skip.range().count()).sum();
    }

    /** What the judgements of a batch come to. */
    private static final class Batch {
        private final Map<Integer, Runs.Active> active;
        private final Periods periods;
        private final List<NewRun> runs = new ArrayList<>();
        private final List<Skips.Continued> skips = new ArrayList<>();
        /** where a schedule's last fire stands in {@code skips}; empty where it became a run after an earlier skip */
        private final Map<Integer, Optional<Integer>> ends = new HashMap<>();

        Batch(Map<Integer, Runs.Active> active, Periods periods) {
            this.active = active;
            this.periods = periods;
        }

        void take(Judgement judgement, Optional<Long> earlierSkip) {
            ActiveSchedule schedule = judgement.schedule();
            List<Verdict> verdicts = Verdicts.afterOverlap(
                    judgement.verdicts(), schedule.spec(), Optional.ofNullable(active.get(schedule.id())), periods);
            for (int i = 0; i < verdicts.size(); i++) {
                if (verdicts.get(i) instanceof Verdict.Run run) {
                    runs.add(newRun(schedule, run));
                } else if (verdicts.get(i) instanceof Verdict.Skip skip) {
                    Skips.Range range =
                            new Skips.Range(schedule.id(), skip.reason(), skip.first(), skip.last(), skip.count());
                    skips.add(new Skips.Continued(range, i == 0 ? earlierSkip : Optional.empty()));
                }
            }
            if (!verdicts.isEmpty()) {
                boolean skipped = verdicts.get(verdicts.size() - 1) instanceof Verdict.Skip;
                ends.put(schedule.id(), skipped ? Optional.of(skips.size() - 1) : Optional.empty());
                if (!skipped && earlierSkip.isEmpty()) {
                    ends.remove(schedule.id());
                }
            }
        }
    }

    private static NewRun newRun(ActiveSchedule schedule, Verdict.Run run) {
        Schedule spec = schedule.spec();
        Instant due = schedule.notBefore(run.fireTime());
        return new NewRun(
                RunKey.of(spec, run.fireTime()).value(),
                Optional.of(schedule.id()),
                Optional.of(spec.name()),
                spec.task(),
                spec.queue(),
                Origin.SCHEDULE,
                run.fireTime(),
                spec.args(),
                spec.timeout(),
                schedule.retry(),
                spec.retry().maxAttempts(),
                spec.policy().overlap() == Overlap.QUEUE,
                run.waiting(),
                spec.policy().jitter().most().isZero() ? Optional.empty() : Optional.of(due),
                spec.policy().expires().map(due::plus));
    }
}
