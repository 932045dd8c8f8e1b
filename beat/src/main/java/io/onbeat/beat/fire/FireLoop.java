package io.onbeat.beat.fire;

import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Leader;
import io.onbeat.ledger.Leader.Term;
import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.Outbox;
import io.onbeat.ledger.Schedules;
import io.onbeat.schedule.ScheduleSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The beat's story: lead → apply the file → fire what is due. One pass does all of it once; who calls it decides when, so a
 * test turns the clock and calls it by hand. For one thread, but for {@link #submit}.
 */
public final class FireLoop {
    private static final Logger log = LoggerFactory.getLogger(FireLoop.class);
    /** Fires in one transaction. */
    private static final int BATCH = 1_000;

    private final Ledger ledger;
    private final String beat;
    private final Duration lease;
    private final Duration renewEvery;
    private final Consumer<Outbox.Entry> relay;
    private final LongSupplier nanoTime;
    private final LedgerClock clock;
    private final DueIndex schedules = new DueIndex();
    private final AtomicReference<ScheduleSet> submitted = new AtomicReference<>();
    private final Reload reload;
    private Optional<ScheduleSet> inForce = Optional.empty();
    private volatile boolean fallBack;
    private Optional<Term> term = Optional.empty();
    private long renewedNanos;

    public FireLoop(Ledger ledger, String beat, Duration lease, Duration renewEvery, Consumer<Outbox.Entry> relay) {
        this(ledger, beat, lease, renewEvery, relay, System::nanoTime);
    }

    FireLoop(
            Ledger ledger,
            String beat,
            Duration lease,
            Duration renewEvery,
            Consumer<Outbox.Entry> relay,
            LongSupplier nanoTime) {
        this.ledger = ledger;
        this.beat = beat;
        this.lease = lease;
        this.renewEvery = renewEvery;
        this.relay = relay;
        this.nanoTime = nanoTime;
        this.clock = new LedgerClock(nanoTime);
        this.reload = new Reload(ledger);
    }

    /** The next fire time of all schedules, and how long that is from now. */
    public record Next(Instant fireTime, Duration in) {}

    /** What a pass came to. */
    public record Pass(boolean leading, int runs, long skips, Optional<Next> next) {
        static final Pass STANDBY = new Pass(false, 0, 0, Optional.empty());

        Optional<Duration> nextIn() {
            return next.map(Next::in);
        }
    }

    /** Gives the schedules that shall be in force from the next pass on. For any thread. */
    public void submit(ScheduleSet schedules) {
        submitted.set(schedules);
    }

    /** Has the ledger's schedules in force until others are given: for a start with a file that cannot be read. For any thread. */
    public void fallBackOnLedger() {
        fallBack = true;
    }

    public Pass pass() throws SQLException {
        if (!lead()) {
            return Pass.STANDBY;
        }
        try {
            applySubmitted();
            return fireDue();
        } catch (LeadershipLost lost) {
            log.warn("{}: standing by", lost.getMessage());
            standBy();
            return Pass.STANDBY;
        }
    }

    public boolean leading() {
        return term.isPresent();
    }

    public Optional<Term> term() {
        return term;
    }

    /** Gives the lead away at once. */
    public void release() throws SQLException {
        if (term.isPresent()) {
            Leader.release(ledger, term.get());
            standBy();
        }
    }

    private boolean lead() throws SQLException {
        if (term.isEmpty()) {
            term = Leader.acquire(ledger, beat, lease);
            term.ifPresent(granted -> {
                log.info("beat {} leads in term {}", beat, granted.term());
                CrashPoint.LEADING.pass();
            });
        } else if (nanoTime.getAsLong() - renewedNanos >= renewEvery.toNanos()) {
            Term held = term.get();
            term = Leader.renew(ledger, held, lease);
            if (term.isEmpty()) {
                log.warn("another beat has taken the lead after term {}: standing by", held.term());
                standBy();
            }
        } else {
            return true;
        }
        term.ifPresent(granted -> {
            clock.set(granted.now());
            renewedNanos = nanoTime.getAsLong();
        });
        return term.isPresent();
    }

    private void standBy() {
        term = Optional.empty();
        schedules.clear();
        inForce = Optional.empty();
    }

    private void applySubmitted() throws SQLException {
        ScheduleSet wanted = submitted.get();
        if (wanted == null && fallBack && inForce.isEmpty()) {
            takeFromLedger();
        }
        if (wanted == null || inForce.filter(current -> current == wanted).isPresent()) {
            return;
        }
        List<ActiveSchedule> active = reload.apply(term.orElseThrow(), wanted, inForce, clock.instant());
        if (inForce.isEmpty()) {
            schedules.clear();
        }
        inForce.ifPresent(before -> reload.gone(before, wanted).forEach(this::forget));
        active.forEach(schedules::put);
        inForce = Optional.of(wanted);
        log.info("{} schedules in force, {} of them fire", wanted.size(), schedules.size());
    }

    private void takeFromLedger() throws SQLException {
        Reload.FromLedger found = reload.fromLedger();
        schedules.clear();
        found.active().forEach(schedules::put);
        inForce = Optional.of(found.schedules());
        log.warn(
                "the {} schedules that the ledger has stay in force, {} of them fire",
                found.schedules().size(),
                schedules.size());
    }

    private void forget(String name) {
        schedules.all().stream()
                .filter(schedule -> schedule.spec().name().equals(name))
                .map(ActiveSchedule::id)
                .findFirst()
                .ifPresent(schedules::remove);
    }

    private Pass fireDue() throws SQLException {
        int runs = 0;
        long skips = 0;
        Instant now = clock.instant();
        while (lead()) {
            List<Judgement> batch = judge(now);
            if (batch.isEmpty()) {
                return new Pass(true, runs, skips, next());
            }
            FireTransaction.Fired fired = fire(batch);
            runs += fired.runs();
            skips += fired.skips();
        }
        return Pass.STANDBY;
    }

    private Optional<Next> next() {
        return schedules.next().map(fireTime -> new Next(fireTime, clock.until(fireTime)));
    }

    private List<Judgement> judge(Instant now) {
        List<Judgement> batch = new ArrayList<>();
        int room = BATCH;
        for (ActiveSchedule schedule : schedules.due(now, BATCH)) {
            if (room == 0) {
                break;
            }
            Judgement judgement = Judge.judge(schedule, now, room);
            batch.add(judgement);
            room -= (int) judgement.runs();
        }
        return batch;
    }

    private FireTransaction.Fired fire(List<Judgement> batch) throws SQLException {
        Term held = term.orElseThrow();
        CrashPoint.JUDGED.pass();
        FireTransaction.Fired fired = ledger.transaction(connection -> {
            FireTransaction.confirmLeadership(connection, held);
            FireTransaction.Fired written = FireTransaction.write(connection, batch);
            CrashPoint.FIRE_WRITTEN.pass();
            return written;
        });
        CrashPoint.FIRED.pass();
        fired.entry().ifPresent(relay);
        Set<Integer> stale = new HashSet<>();
        for (Judgement judgement : batch) {
            ActiveSchedule schedule = judgement.schedule();
            if (fired.moved().contains(schedule.id())) {
                schedules.put(schedule.at(judgement.to()));
            } else {
                stale.add(schedule.id());
            }
        }
        if (!stale.isEmpty()) {
            refresh(stale);
        }
        return fired;
    }

    // somebody else has moved these watermarks, or changed the spec: take over what the ledger says
    private void refresh(Set<Integer> ids) throws SQLException {
        List<Schedules.Row> rows;
        try (Connection connection = ledger.connection()) {
            rows = Schedules.byId(connection, ids);
        }
        ids.forEach(schedules::remove);
        for (Schedules.Row row : rows) {
            reload.active(row).ifPresent(schedules::put);
        }
        log.warn("{} schedules were judged or edited elsewhere: now as the ledger has them", ids.size());
    }
}
