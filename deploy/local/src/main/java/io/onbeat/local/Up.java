package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** {@code onbeat up}: PostgreSQL, RabbitMQ, one beat and some workers, until Ctrl-C. */
public final class Up {
    private static final Duration DRAIN = Duration.ofSeconds(30);
    private static final int FORCED = 130;
    private static final int REFUSED = 2;

    private final UpOptions options;
    private final Screen screen;
    private final Path hidden;
    private final Ports ports;
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(4, Up::daemon);
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final List<Supervised> children = new ArrayList<>();
    private final List<KeptServer> servers = new ArrayList<>();

    private Up(UpOptions options, Screen screen) {
        this.options = options;
        this.screen = screen;
        this.hidden = Root.hidden(options.root());
        this.ports = new Ports(hidden.resolve("run/ports"));
    }

    public static void main(String[] words) {
        // The RabbitMQ client logs through SLF4J; here its errors are judged, not logged.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        try {
            UpOptions options = UpOptions.parse(List.of(words), System.getenv());
            System.setProperty("onbeat.root", options.root().toString());
            try (DataFolder alone = DataFolder.open(Root.hidden(options.root()).resolve("run"))) {
                new Up(options, new Screen(System.out)).run(alone.path());
            }
            System.exit(0);
        } catch (FolderInUse running) {
            System.err.println("onbeat up: it is already running here (" + running.owner() + "); stop that one first");
            System.exit(REFUSED);
        } catch (ServiceFailure failure) {
            System.err.println("onbeat up: " + failure.getMessage());
            System.exit(REFUSED);
        }
    }

    private void run(Path processes) {
        requireBuilt();
        Leftovers.end(processes, DRAIN, screen);
        Signals.each(this::signalled);
        screen.line("starting PostgreSQL and RabbitMQ; their data is in " + hidden);
        Services services = Services.start(hidden);
        services.own().forEach(server -> servers.add(KeptServer.keep(server, screen, later)));
        Path file = hidden.resolve("env");
        try {
            Environment environment = Environment.of(System.getenv(), services.database(), services.rabbit(), options);
            int page = ports.pick("beat", Optional.of(8_080));
            environment.with("ONBEAT_BEAT_URL", "http://127.0.0.1:" + page).write(file);
            if (stopAsked.getCount() > 0) {
                start("beat", beatJar(), List.of("beat"), environment, page);
                for (int number = 1; number <= options.workers(); number++) {
                    int port = ports.pick("worker-" + number, Optional.empty());
                    start("worker-" + number, workerJar(), List.of(), environment, port);
                }
                screen.block(welcome(services, page));
                follow(new FinishedRuns(services.database(), screen));
                follow(new BeatLog(log("beat"), screen));
                stopAsked.await();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            stop(file);
        }
    }

    private void follow(Runnable look) {
        later.scheduleWithFixedDelay(look, 300, 300, TimeUnit.MILLISECONDS);
    }

    private Path log(String name) {
        return hidden.resolve("logs").resolve(name + ".log");
    }

    private void requireBuilt() {
        for (Path jar : List.of(beatJar(), workerJar())) {
            if (!Files.exists(jar)) {
                throw new ServiceFailure(jar + " is not built: run mvn package, or ./onbeat up, which does it");
            }
        }
    }

    private Path beatJar() {
        return options.root().resolve("beat/target/onbeat-beat.jar");
    }

    private Path workerJar() {
        return options.root().resolve("worker/target/onbeat-worker.jar");
    }

    private void start(String name, Path jar, List<String> words, Environment environment, int port) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(words);
        children.add(Supervised.start(
                new GuardedProcess.Spec(
                        name,
                        command,
                        environment
                                .with("ONBEAT_HTTP_PORT", Integer.toString(port))
                                .all(),
                        log(name),
                        hidden.resolve("run").resolve(name + ".pid"),
                        "TERM",
                        DRAIN),
                screen,
                later));
    }

    private String welcome(Services services, int page) {
        return """

                Onbeat is up: one beat, %d workers, schedules from %s
                  Onbeat's page      http://127.0.0.1:%d
                  RabbitMQ console   %s   user %s   password %s
                  PostgreSQL         %s   user %s   password in %s
                  logs               %s
                In another terminal: ./onbeat runs, ./onbeat queues, ./onbeat --help. Ctrl-C here stops all. Times are UTC.
                """.formatted(
                        options.workers(),
                        options.schedules(),
                        page,
                        services.rabbit().managementUrl(),
                        services.rabbit().user(),
                        services.rabbit().password(),
                        services.database().jdbcUrl(),
                        services.database().user(),
                        hidden.resolve("env"),
                        hidden.resolve("logs"));
    }

    private void signalled() {
        if (stopAsked.getCount() == 0) {
            screen.line("forced: everything that still runs is killed");
            children.forEach(Supervised::kill);
            Runtime.getRuntime().halt(FORCED);
        }
        stopAsked.countDown();
    }

    private void stop(Path environmentFile) {
        boolean workersRun = children.stream().skip(1).anyMatch(Supervised::isRunning);
        screen.line(
                workersRun
                        ? "stopping: the workers finish what they run, up to " + DRAIN.toSeconds()
                                + " s (Ctrl-C again does not wait)"
                        : "stopping");
        children.forEach(Supervised::askToStop);
        children.forEach(Supervised::waitUntilStopped);
        later.shutdownNow();
        if (!children.isEmpty()) {
            screen.line(children.size() > 1 ? "beat and workers have stopped" : "the beat has stopped");
        }
        servers.forEach(KeptServer::close);
        try {
            Files.deleteIfExists(environmentFile);
        } catch (IOException leftThere) {
            screen.line("could not remove " + environmentFile + ": " + leftThere.getMessage());
        }
        screen.line("all has stopped; the next start goes on from here");
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "up");
        thread.setDaemon(true);
        return thread;
    }
}
