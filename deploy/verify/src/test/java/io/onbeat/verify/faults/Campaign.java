package io.onbeat.verify.faults;

import io.onbeat.verify.faults.check.Checker;
import io.onbeat.verify.faults.check.Expectations;
import io.onbeat.verify.faults.check.Violation;
import io.onbeat.verify.faults.check.Watch;
import io.onbeat.verify.system.Books;
import io.onbeat.verify.system.Cluster;
import io.onbeat.verify.system.OwnServers;
import io.onbeat.verify.system.Processes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** One test under faults: start all, let the plan strike, wait until all is quiet, and check what is left. */
final class Campaign implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(90);
    private static final int WARM = 20;

    private final long seed;
    private final Plan plan;
    private final Diary diary;
    private final List<Violation> troubles = new CopyOnWriteArrayList<>();
    private final Path data;
    private final Cluster cluster;
    private Optional<Rig> rig = Optional.empty();
    private boolean closed;

    Campaign(long seed, Duration length, Set<Kind> kinds, PrintStream out) {
        this.seed = seed;
        this.plan = Plan.of(seed, length, kinds);
        this.diary = new Diary(out);
        this.data = Processes.root().resolve("deploy/verify/target/faults").resolve(Long.toString(seed));
        this.cluster = new Cluster(() -> new OwnServers(data));
    }

    Report run() throws Exception {
        delete(data);
        cluster.open("faults-" + seed);
        return run(open());
    }

    private synchronized Rig open() {
        if (closed) {
            throw new IllegalStateException("closed while it started");
        }
        rig = Optional.of(new Rig(cluster, troubles::add));
        return rig.get();
    }

    private Report run(Rig rig) throws Exception {
        Books books = cluster.books();
        try (Watch watch = new Watch(books, rig.servers().postgres().log())) {
            cluster.schedules(Load.yaml(seed));
            rig.start();
            books.await(TO_START, "select count(*) >= ? from run where state = 'succeeded'", WARM);
            diary.begin();
            strikeUnderLoad(rig);
            Expectations expectations = Quiet.await(cluster, diary);
            List<Violation> violations = new ArrayList<>(new Checker(books, watch, expectations).check());
            violations.addAll(troubles);
            return new Report(seed, diary.counts(), violations, new Evidence(cluster));
        }
    }

    @SuppressWarnings("try") // they are there to be busy
    private void strikeUnderLoad(Rig rig) throws Exception {
        try (Hand hand = new Hand(cluster.books().ledger());
                Outsider outsider = new Outsider(rig)) {
            strike(rig);
        }
    }

    private void strike(Rig rig) throws Exception {
        ConcurrentHashMap<String, ReentrantLock> places = new ConcurrentHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(plan.lanes().size());
        try {
            List<Future<?>> lanes = new ArrayList<>();
            for (List<Strike> strikes : plan.lanes()) {
                lanes.add(threads.submit(new Lane(rig, strikes, diary, diary.start(), places)::run));
            }
            for (Future<?> lane : lanes) {
                lane.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Ends every process at once. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            rig.ifPresent(Rig::close);
            cluster.close();
            delete(data);
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException stillBusy) {
            System.err.println("cannot remove " + folder + ": " + stillBusy);
        }
    }
}
