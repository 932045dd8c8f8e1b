package io.onbeat.verify.faults;

import io.onbeat.local.FakeTime;
import io.onbeat.verify.faults.check.Violation;
import io.onbeat.verify.system.Cluster;
import io.onbeat.verify.system.Node;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** The place of one beat or worker, with the network between it and the servers. Whatever dies in it is started anew. */
final class Slot implements AutoCloseable {
    private static final Duration TO_STOP = Duration.ofSeconds(25);
    private static final int KILLED_BY_ITS_TASK = 137;

    private final String name;
    private final Cluster cluster;
    private final Map<String, String> settings;
    private final Optional<FakeTime> clock;
    private final Consumer<Violation> trouble;
    private final TcpProxy database;
    private final TcpProxy broker;
    private Node node;
    private boolean wanted;

    /** @param trouble told when the process ends although nobody ended it, or does not end when it should */
    Slot(
            String name,
            Cluster cluster,
            Map<String, String> settings,
            TcpProxy database,
            TcpProxy broker,
            Optional<FakeTime> clock,
            Consumer<Violation> trouble) {
        this.name = name;
        this.cluster = cluster;
        this.settings = new TreeMap<>(settings);
        clock.ifPresent(stepped -> this.settings.putAll(stepped.environment()));
        this.database = database;
        this.broker = broker;
        this.clock = clock;
        this.trouble = trouble;
    }

    String name() {
        return name;
    }

    TcpProxy database() {
        return database;
    }

    TcpProxy broker() {
        return broker;
    }

    /** Sets the wall clock of all processes here to the true time plus this. */
    void stepClock(Duration offset) {
        clock.orElseThrow(() -> new IllegalStateException("this machine has no libfaketime"))
                .step(offset);
    }

    synchronized Node node() {
        return node;
    }

    synchronized void start() {
        wanted = true;
        node = name.startsWith("beat") ? cluster.startBeat(settings) : cluster.startWorker(settings);
        Node started = node;
        started.process().onExit().thenAccept(code -> ended(started, code));
    }

    private synchronized void ended(Node ended, int code) {
        if (wanted && ended == node) {
            if (code != KILLED_BY_ITS_TASK) {
                trouble.accept(new Violation(
                        "no process ends because of what happens around it",
                        ended.name() + " ended with exit code " + code + ":\n" + ended.logTail()));
            }
            start();
        }
    }

    synchronized void kill9() {
        wanted = false;
        node.kill9();
    }

    /** Returns when it has ended. */
    void stop() {
        Node stopping;
        synchronized (this) {
            wanted = false;
            stopping = node;
            stopping.sigterm();
        }
        try {
            stopping.awaitExit(TO_STOP);
        } catch (CompletionException tooLate) {
            trouble.accept(new Violation(
                    "a process that is told to stop ends soon",
                    stopping.name() + " had not ended after " + TO_STOP.toSeconds() + " s:\n" + stopping.logTail()));
            stopping.kill9();
        }
    }

    /** STOP, CONT or the like. */
    void signal(String signal) throws Exception {
        new ProcessBuilder("kill", "-s", signal, Long.toString(node().process().pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public synchronized void close() {
        wanted = false;
        database.close();
        broker.close();
        if (node != null && node.isAlive()) {
            node.kill9();
        }
    }
}
