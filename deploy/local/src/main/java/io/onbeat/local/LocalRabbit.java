package io.onbeat.local;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A RabbitMQ node of our own: the machine's program, with ports, name, data, log and password in one folder. */
public final class LocalRabbit implements RabbitServer, OwnServer {
    private static final String STOP_SIGNAL = "TERM";
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final List<String> PORTS = List.of("amqp", "management", "dist", "epmd");

    private final DataFolder folder;
    private final RabbitOptions options;
    private final RabbitPrograms programs;
    private final Ports ports;
    private final String password;
    private RabbitFiles files;
    private GuardedProcess epmd;
    private GuardedProcess process;

    private LocalRabbit(DataFolder folder, RabbitOptions options, RabbitPrograms programs) {
        this.folder = folder;
        this.options = options;
        this.programs = programs;
        this.ports = new Ports(folder.path("ports"));
        this.password = folder.secret("password");
        this.files = pickPorts();
    }

    /**
     * The broker of ONBEAT_AMQP_URL where that is set, else a node of our own that keeps its data in the folder and ends with
     * this process.
     *
     * @throws ServiceFailure when the folder is in use, RabbitMQ cannot be had on this machine, or it does not start
     */
    public static RabbitServer start(Path dataFolder, RabbitOptions options) {
        Optional<GivenRabbit> given = GivenRabbit.from(System.getenv());
        return given.isPresent() ? given.get() : startOwn(dataFolder, options);
    }

    /** Like {@link #start(Path, RabbitOptions)}, whatever the environment says. */
    public static LocalRabbit startOwn(Path dataFolder, RabbitOptions options) {
        RabbitPrograms programs = RabbitPrograms.findOrInstall();
        DataFolder folder = DataFolder.open(dataFolder);
        try {
            GuardedProcess.endLeftover(folder.path("pid"), STOP_SIGNAL, STOP_GRACE);
            GuardedProcess.endLeftover(folder.path("epmd.pid"), STOP_SIGNAL, STOP_GRACE);
            LocalRabbit server = new LocalRabbit(folder, options, programs);
            KeptLog.setAside(server.log());
            KeptLog.setAside(server.epmdLog());
            server.launchOnAnyPorts();
            return server;
        } catch (RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    private RabbitFiles pickPorts() {
        return new RabbitFiles(
                folder,
                options,
                ports.pick("amqp", options.port()),
                ports.pick("management", options.managementPort()),
                ports.pick("dist", Optional.empty()),
                ports.pick("epmd", Optional.empty()));
    }

    private void launchOnAnyPorts() {
        for (int tries = 1; ; tries++) {
            try {
                launch();
                return;
            } catch (ServiceFailure failed) {
                // Another program took a port between our look and the server's.
                boolean allFree = Stream.of(files.amqp(), files.management(), files.dist(), files.epmd())
                        .allMatch(Ports::isFree);
                if (tries == 5 || allFree) {
                    throw failed;
                }
                PORTS.forEach(ports::pickAnother);
                files = pickPorts();
            }
        }
    }

    private void launch() {
        files.write();
        Map<String, String> environment = files.environment();
        // In the foreground and of our own: the node would start one that stays behind.
        epmd = GuardedProcess.startAgain(new GuardedProcess.Spec(
                "epmd",
                List.of(programs.epmd().toString(), "-port", Integer.toString(files.epmd()), "-address", "127.0.0.1"),
                environment,
                epmdLog(),
                folder.path("epmd.pid"),
                STOP_SIGNAL,
                Duration.ofSeconds(2)));
        Within.time(Duration.ofSeconds(10), () -> Ports.answers(files.epmd()) || !epmd.isAlive());
        process = GuardedProcess.startAgain(new GuardedProcess.Spec(
                name(),
                List.of(programs.server().toString()),
                environment,
                log(),
                folder.path("pid"),
                STOP_SIGNAL,
                STOP_GRACE));
        boolean settled = Within.time(START_LIMIT, () -> answers() || !process.isAlive());
        if (!settled || !process.isAlive()) {
            kill();
            throw new ServiceFailure("RabbitMQ did not start; the end of " + log() + ":\n" + process.logTail(25));
        }
    }

    @Override
    public String name() {
        return "RabbitMQ";
    }

    @Override
    public Path log() {
        return folder.path("rabbitmq.log");
    }

    private Path epmdLog() {
        return folder.path("epmd.log");
    }

    @Override
    public CompletableFuture<Integer> onExit() {
        return process.onExit();
    }

    /** The launcher script, the node or epmd may be left of it. */
    @Override
    public void startAgain() {
        kill();
        launch();
    }

    /** No HTTP request: a connection kept alive would hold up the next stop by five seconds. */
    private boolean answers() {
        if (!Ports.answers(files.amqp()) || !Ports.answers(files.management())) {
            return false;
        }
        ConnectionFactory factory = new ConnectionFactory();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHost("127.0.0.1");
        factory.setPort(files.amqp());
        factory.setUsername(user());
        factory.setPassword(password);
        try (Connection connection = factory.newConnection("readiness")) {
            return connection.isOpen();
        } catch (IOException | TimeoutException notYet) {
            return false;
        }
    }

    @Override
    public String amqpUrl() {
        return amqpUrl("/");
    }

    @Override
    public String amqpUrl(String vhost) {
        return "amqp://" + user() + ":" + password + "@127.0.0.1:" + files.amqp() + "/" + ManagementApi.encode(vhost);
    }

    @Override
    public String managementUrl() {
        return "http://127.0.0.1:" + files.management();
    }

    @Override
    public String user() {
        return RabbitFiles.USER;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public void stop() {
        process.stop();
        epmd.stop();
    }

    @Override
    public void kill() {
        process.kill();
        epmd.kill();
    }

    @Override
    public void start() {
        if (process.isAlive()) {
            stop();
        }
        launch();
    }

    /** Loses all that the stopped node holds, as if its disk had been replaced: its next start is its first. */
    public void wipe() {
        DataFolder.delete(folder.path("data"));
    }

    /**
     * Runs one command of {@code rabbitmqctl} at this node.
     *
     * @throws ServiceFailure with what it says, when it does not succeed
     */
    public void ctl(String... words) {
        List<String> command = new ArrayList<>();
        command.add(programs.server().resolveSibling("rabbitmqctl").toString());
        command.addAll(List.of(words));
        Shell.Ended ended = Shell.run(command, files.environment());
        if (!ended.ok()) {
            throw new ServiceFailure(String.join(" ", command) + " answered " + ended.code() + ":\n"
                    + ended.output().strip());
        }
    }

    @Override
    public void close() {
        stop();
        folder.close();
    }

    @Override
    public void discard() {
        kill();
        folder.close();
    }
}
