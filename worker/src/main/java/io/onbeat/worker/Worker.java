package io.onbeat.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.onbeat.fault.CrashPoint;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.NewerMessage;
import io.onbeat.message.UnreadableMessage;
import io.onbeat.metrics.Health;
import io.onbeat.metrics.MetricNames;
import io.onbeat.task.Task;
import io.onbeat.worker.claim.Claimed;
import io.onbeat.worker.claim.Claimer;
import io.onbeat.worker.consume.Consumption;
import io.onbeat.worker.consume.Delivery;
import io.onbeat.worker.consume.Inbox;
import io.onbeat.worker.consume.Incoming;
import io.onbeat.worker.execute.Execution;
import io.onbeat.worker.execute.Slots;
import io.onbeat.worker.execute.StopReason;
import io.onbeat.worker.report.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: consume → claim → execute → settle.
 *
 * <p>A message that the broker delivers waits in its queue's inbox until a slot is free. Then its run is claimed in the
 * ledger, executed in the slot, and settled; only then is the message acknowledged. What goes wrong on the way leaves the
 * message to the broker or the lease to recovery, and the run is started again.
 */
public final class Worker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    private static final int MOST_IN_A_BATCH = 1_000;
    /** How long tasks have to end after they were interrupted, and outcomes to be settled after the drain. */
    private static final Duration LAST_GRACE = Duration.ofSeconds(3);

    private final WorkerSettings settings;
    private final WorkerParts parts;
    private final Map<String, WorkQueue> queues;
    private final Consumption consumption;
    private final Upkeep upkeep;
    private final List<Thread> claiming = new ArrayList<>();
    private final Thread starting = new Thread(this::run, "start");
    private volatile boolean stopping;

    /**
     * Connects to nothing yet.
     *
     * @param own tasks beside those on the class path and in the tasks folder
     * @throws io.onbeat.config.ConfigurationErrors when the tasks are not as the settings say
     */
    public Worker(WorkerSettings settings, List<Task> own, MeterRegistry meters) {
        this.settings = settings;
        this.parts = WorkerParts.of(settings, own, meters);
        this.queues = settings.queues().keySet().stream().collect(Collectors.toMap(Function.identity(), this::queue));
        this.consumption = new Consumption(
                settings.servers().broker(),
                settings.id() + " consuming",
                settings.queues().keySet().stream()
                        .collect(Collectors.toMap(Function.identity(), settings::prefetchFor)),
                this::consume);
        this.upkeep = new Upkeep(settings, parts, queues.values(), () -> stopping);
        meters.gauge(MetricNames.RUNNING, parts.executions(), executions -> executions.running());
    }

    /** Returns at once; servers that are not there yet are waited for. */
    public void start() {
        log.info(
                "worker {} starts: queues {}, tasks {}",
                settings.id(),
                settings.queues(),
                parts.tasks().names());
        starting.setDaemon(true);
        starting.start();
    }

    private void run() {
        try {
            parts.preparation().untilDone();
        } catch (InterruptedException stopped) {
            return;
        }
        if (stopping) {
            return;
        }
        parts.publishing().start();
        parts.settler().start();
        upkeep.start();
        for (WorkQueue queue : queues.values()) {
            Thread thread = new Thread(() -> work(queue), "claim-" + queue.name());
            thread.setDaemon(true);
            claiming.add(thread);
            thread.start();
        }
        consumption.start();
    }

    /** On the connection's threads. */
    private void consume(Delivery delivery) {
        CrashPoint.RECEIVED.pass();
        try {
            Incoming incoming = new Incoming(
                    delivery, MessageCodec.decode(delivery.properties(), delivery.body(), delivery.queue()));
            queues.get(delivery.queue()).inbox().put(incoming);
        } catch (NewerMessage newer) {
            putOff(delivery, newer);
        } catch (UnreadableMessage unreadable) {
            bury(delivery, unreadable.getMessage());
        } catch (RuntimeException unexpected) {
            log.error("cannot read a message", unexpected);
            bury(delivery, "it cannot be read: " + unexpected);
        }
    }

    private void work(WorkQueue queue) {
        try {
            while (!stopping) {
                workOnce(queue);
            }
        } catch (InterruptedException givenUp) {
            log.debug("claiming for {} was given up", queue.name());
        }
    }

    // no failure of one batch ends the loop: its runs' leases end by themselves
    private void workOnce(WorkQueue queue) throws InterruptedException {
        int free = queue.slots().take();
        int used = 0;
        try {
            List<Incoming> batch = queue.inbox().take(Math.min(free, MOST_IN_A_BATCH));
            for (Claimed claimed : queue.claimer().claim(batch)) {
                used++;
                execute(queue, claimed);
            }
        } catch (RuntimeException | Error unexpected) {
            log.error("a batch of {} went wrong", queue.name(), unexpected);
            TimeUnit.SECONDS.sleep(1);
        } finally {
            queue.slots().giveBack(free - used);
        }
    }

    private void execute(WorkQueue queue, Claimed claimed) {
        CrashPoint.CLAIMED.pass();
        Execution execution =
                new Execution(claimed.run(), claimed.delivery(), claimed.heldUntilNanos(), parts.settler()::finished);
        parts.executions().add(execution);
        queue.slots().start(execution);
    }

    private void bury(Delivery delivery, String reason) {
        parts.tally().unreadable();
        parts.unreadable().bury(delivery, reason);
    }

    private void putOff(Delivery delivery, NewerMessage newer) {
        if (parts.unreadable().putOff(delivery, newer)) {
            parts.tally().putOff();
        } else {
            parts.tally().unreadable();
        }
    }

    public Tally.Counts counts() {
        return parts.tally().counts();
    }

    /** How many tasks are running just now. */
    public int running() {
        return parts.executions().running();
    }

    public Health health() {
        List<String> problems = new ArrayList<>();
        parts.preparation()
                .problem()
                .or(parts.ledger()::problem)
                .or(parts.renewals()::problem)
                .ifPresent(problems::add);
        problems.addAll(consumption.problems());
        problems.addAll(upkeep.problems());
        if (stopping) {
            problems.add("stopping");
        }
        return new Health(problems);
    }

    /**
     * Takes no more runs, lets running tasks finish, gives back those that do not, settles everything. It ends even where a
     * task ignores its interrupt: that run stays this worker's until its lease ends.
     */
    public void stop() throws InterruptedException {
        drain();
        end();
    }

    /** As {@link #stop}, for a process that ends right after: runs whose tasks ignore their interrupt are given back too. */
    void stopForGood() throws InterruptedException {
        drain();
        parts.dataSources().close();
        parts.executions().all().forEach(Execution::giveUp);
        await(LAST_GRACE, parts.executions()::isIdle);
        end();
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain() throws InterruptedException {
        log.info("worker {} stops: {} tasks are running", settings.id(), running());
        stopping = true;
        starting.interrupt();
        starting.join(LAST_GRACE.toMillis());
        consumption.stop();
        queues.values().forEach(WorkQueue::close);
        await(settings.drain(), this::isIdle);
        claiming.forEach(Thread::interrupt);
        parts.executions().stopAll(StopReason.RELEASED);
        await(LAST_GRACE, this::isIdle);
    }

    private void end() throws InterruptedException {
        parts.publishing().finish(LAST_GRACE);
        upkeep.stop();
        parts.settler().stop();
        consumption.close();
        queues.values().forEach(queue -> queue.slots().close());
        parts.close();
        Tally.Counts counts = counts();
        log.info("worker {} has stopped: {}", settings.id(), counts);
    }

    private boolean isIdle() {
        return claiming.stream().noneMatch(Thread::isAlive)
                && parts.executions().isIdle();
    }

    private static void await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - until < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private WorkQueue queue(String name) {
        Inbox inbox = new Inbox();
        Claimer claimer = new Claimer(
                parts.ledger(),
                settings.id(),
                settings.leases().length(),
                inbox,
                settings.prefetchFor(name) / 2,
                parts.unreadable(),
                parts.tally());
        Slots slots =
                new Slots(name, settings.queues().get(name), settings.tasks().virtualThreads(), parts.kit());
        return new WorkQueue(name, inbox, claimer, slots);
    }
}
