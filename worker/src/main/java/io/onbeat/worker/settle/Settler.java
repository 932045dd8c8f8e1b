package io.onbeat.worker.settle;

import io.onbeat.broker.Publisher;
import io.onbeat.fault.CrashPoint;
import io.onbeat.ledger.Settlement;
import io.onbeat.ledger.Settlements;
import io.onbeat.message.MessageCodec;
import io.onbeat.message.MessageCodec.Encoded;
import io.onbeat.run.RunState;
import io.onbeat.worker.consume.Delivery;
import io.onbeat.worker.execute.Execution;
import io.onbeat.worker.execute.Executions;
import io.onbeat.worker.execute.Outcome;
import io.onbeat.worker.publish.PublishLoop;
import io.onbeat.worker.report.Tally;
import io.onbeat.worker.retry.LedgerRefused;
import io.onbeat.worker.retry.PatientLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes outcomes into the ledger, as many at once as there are, publishes what is retried, and acknowledges the messages. */
public final class Settler {
    private static final Logger log = LoggerFactory.getLogger(Settler.class);
    private static final int MOST = 1_000;

    private final PatientLedger ledger;
    private final Executions executions;
    private final PublishLoop publishing;
    private final Tally tally;
    private final BlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "settle");

    private record Finished(Execution execution, Outcome outcome) {}

    public Settler(PatientLedger ledger, Executions executions, PublishLoop publishing, Tally tally) {
        this.ledger = ledger;
        this.executions = executions;
        this.publishing = publishing;
        this.tally = tally;
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    public void finished(Execution execution, Outcome outcome) {
        finished.add(new Finished(execution, outcome));
    }

    /** Gives up what is not settled by now: its leases end by themselves. */
    public void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    private void run() {
        try {
            while (true) {
                List<Finished> batch = new ArrayList<>();
                batch.add(finished.take());
                finished.drainTo(batch, MOST - 1);
                settleOrReport(batch);
            }
        } catch (InterruptedException stopped) {
            log.debug("{} outcomes are left unsettled", finished.size());
        }
    }

    // whatever goes wrong with one batch, the next ones are settled
    private void settleOrReport(List<Finished> batch) throws InterruptedException {
        try {
            settleEachRunOnce(batch);
        } catch (RuntimeException | Error unexpected) {
            log.error("could not settle {} outcomes: recovery will end their leases", batch.size(), unexpected);
            batch.forEach(each -> executions.remove(each.execution));
        }
    }

    // The ledger answers by run. Two attempts of one run meet here when the first one's lease was lost.
    private void settleEachRunOnce(List<Finished> batch) throws InterruptedException {
        Map<Long, Settling> first = new LinkedHashMap<>();
        List<Finished> more = new ArrayList<>();
        for (Finished each : batch) {
            Settling settling = Settling.of(each.execution, each.outcome);
            if (settling.settlement().isEmpty()) {
                discard(each.execution);
            } else if (first.putIfAbsent(settling.runId(), settling) != null) {
                more.add(each);
            }
        }
        if (!first.isEmpty()) {
            settle(List.copyOf(first.values()));
        }
        if (!more.isEmpty()) {
            settleEachRunOnce(more);
        }
    }

    private void settle(List<Settling> batch) throws InterruptedException {
        List<Settlement> settlements =
                batch.stream().map(each -> each.settlement().orElseThrow()).toList();
        Map<Long, RunState> states;
        CrashPoint.FINISHED.pass();
        try {
            states = ledger.ask("settle", open -> {
                long sentNanos = System.nanoTime();
                Map<Long, RunState> answer = Settlements.settle(open, settlements);
                tally.settleTime().record(Duration.ofNanos(System.nanoTime() - sentNanos));
                return answer;
            });
        } catch (LedgerRefused refused) {
            settleOneByOne(batch, refused);
            return;
        }
        List<Delivery> done = new ArrayList<>(batch.size());
        for (Settling each : batch) {
            Optional<RunState> state = Optional.ofNullable(states.get(each.runId()));
            if (state.isEmpty()) {
                discard(each.execution());
                continue;
            }
            CrashPoint.settledAs(state.get()).pass();
            tally.finished(state.get(), 1);
            executions.remove(each.execution());
            if (state.get() == RunState.RETRYING && each.queueDelay().isPresent()) {
                publishRetry(each.execution(), each.queueDelay().get());
            } else {
                done.add(each.execution().delivery());
            }
        }
        Delivery.ack(done);
    }

    // one outcome with a value that the ledger cannot store must not hold up the others
    private void settleOneByOne(List<Settling> batch, LedgerRefused refused) throws InterruptedException {
        if (batch.size() > 1) {
            for (Settling each : batch) {
                settle(List.of(each));
            }
            return;
        }
        Settling only = batch.get(0);
        Settling storable = only.refused(refused.getMessage());
        if (only.equals(storable)) {
            log.error(
                    "the ledger cannot store the outcome of {}",
                    only.execution().run().attempt(),
                    refused);
            discard(only.execution());
        } else {
            settle(List.of(storable));
        }
    }

    /** The message is acknowledged whatever comes of it: what is not published by then is published by recovery. */
    private void publishRetry(Execution execution, Duration delay) {
        String queue = execution.run().queue();
        Encoded message = MessageCodec.encode(execution.run().message().next());
        publishing.submit(
                (publisher, answer) -> {
                    if (delay.isZero()) {
                        publisher.publishTask(queue, message, answer);
                    } else {
                        publisher.publishRetry(queue, delay, message, answer);
                    }
                    CrashPoint.RETRY_PUBLISHED.pass();
                },
                new Publisher.Answer() {
                    @Override
                    public void confirmed() {
                        CrashPoint.RETRY_CONFIRMED.pass();
                        execution.delivery().ack();
                    }

                    @Override
                    public void failed(String reason) {
                        log.warn(
                                "the retry of {} waits in the ledger: {}",
                                execution.run().attempt().runKey(),
                                reason);
                        execution.delivery().ack();
                    }
                });
    }

    private void discard(Execution execution) {
        log.warn(
                "discarding the outcome of {}, attempt {}: its lease was lost",
                execution.run().attempt().runKey(),
                execution.run().attempt().number());
        tally.lost();
        executions.remove(execution);
        execution.delivery().ack();
    }
}
