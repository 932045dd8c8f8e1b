package io.onbeat.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A PostgreSQL of our own: unpacked from the class path, its data in one folder, reached on loopback only. */
public final class LocalPostgres implements PostgresServer, OwnServer {
    private static final String USER = "onbeat";
    private static final String STOP_SIGNAL = "INT";
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final DataFolder folder;
    private final PostgresOptions options;
    private final Path binaries;
    private final List<String> prefix;
    private final String password;
    private final Ports ports;
    private int port;
    private GuardedProcess process;

    private LocalPostgres(DataFolder folder, PostgresOptions options) {
        this.folder = folder;
        this.options = options;
        this.binaries = PostgresBinaries.unpacked(Root.cache());
        this.prefix = WithoutRoot.prefix(binaries.resolve("bin/postgres"), folder.path());
        this.password = folder.secret("password");
        this.ports = new Ports(folder.path("ports"));
        this.port = ports.pick("postgres", options.port());
    }

    /**
     * The server of ONBEAT_DATABASE_URL where that is set, else one of our own that keeps its data in the folder and ends with
     * this process.
     *
     * @throws ServiceFailure when the folder is in use, or the server does not start
     */
    public static PostgresServer start(Path dataFolder, PostgresOptions options) {
        Optional<GivenPostgres> given = GivenPostgres.from(System.getenv());
        return given.isPresent() ? given.get() : startOwn(dataFolder, options);
    }

    /** Like {@link #start}, whatever the environment says. */
    public static LocalPostgres startOwn(Path dataFolder, PostgresOptions options) {
        DataFolder folder = DataFolder.open(dataFolder);
        try {
            LocalPostgres server = new LocalPostgres(folder, options);
            GuardedProcess.endLeftover(folder.path("pid"), STOP_SIGNAL, STOP_GRACE);
            server.create();
            KeptLog.setAside(server.log());
            server.launchOnAnyPort();
            return server;
        } catch (RuntimeException failed) {
            folder.close();
            throw failed;
        }
    }

    /** Makes the data beside its place and moves it there, so that a start which dies half-way leaves nothing half-made. */
    private void create() {
        Path data = folder.path("data");
        if (Files.exists(data)) {
            return;
        }
        Path half = folder.path("data.half");
        DataFolder.delete(half);
        List<String> command = command("initdb", "-D", half.toString(), "-U", USER, "--auth=scram-sha-256");
        command.add("--pwfile=" + folder.path("password"));
        command.addAll(List.of("-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"));
        if (!options.fsync()) {
            command.add("--no-sync");
        }
        Shell.Ended ended = Shell.run(command);
        if (!ended.ok()) {
            throw new ServiceFailure("PostgreSQL could not make its data in " + half + ":\n"
                    + ended.output().strip());
        }
        try {
            Files.move(half, data, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new ServiceFailure("cannot create " + data + ": " + failed, failed);
        }
    }

    /** After a crash another program may have got the number in postmaster.pid, and PostgreSQL would take it for itself. */
    private void dropStrangersPid() {
        Path file = folder.path("data").resolve("postmaster.pid");
        try {
            if (Files.exists(file)) {
                long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
                boolean postgres = ProcessHandle.of(pid)
                        .flatMap(other -> other.info().command())
                        .filter(program -> program.endsWith("postgres"))
                        .isPresent();
                if (!postgres) {
                    Files.delete(file);
                }
            }
        } catch (IOException | RuntimeException unreadable) {
            // PostgreSQL judges such a file itself
        }
    }

    private void launchOnAnyPort() {
        for (int tries = 1; ; tries++) {
            try {
                launch();
                return;
            } catch (ServiceFailure failed) {
                // Another program took the port between our look and the server's.
                if (tries == 5 || Ports.isFree(port)) {
                    throw failed;
                }
                port = ports.pickAnother("postgres");
            }
        }
    }

    private void launch() {
        dropStrangersPid();
        List<String> command = command("postgres", "-D", folder.path("data").toString());
        settings().forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        environment.put("LANG", "C");
        process = GuardedProcess.startAgain(new GuardedProcess.Spec(
                name(), command, environment, log(), folder.path("pid"), STOP_SIGNAL, STOP_GRACE));
        boolean settled = Within.time(START_LIMIT, () -> answers() || !process.isAlive());
        if (!settled || !process.isAlive()) {
            process.kill();
            throw new ServiceFailure(
                    "PostgreSQL did not start on port " + port + "; the end of " + log() + ":\n" + process.logTail(15));
        }
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(Map.of(
                "listen_addresses", "127.0.0.1",
                "port", Integer.toString(port),
                "unix_socket_directories", "",
                "max_connections", "200",
                "shared_buffers", "256MB",
                "max_wal_size", "2GB",
                "timezone", "UTC",
                "log_timezone", "UTC"));
        if (!options.fsync()) {
            settings.putAll(Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off"));
        }
        return settings;
    }

    private boolean answers() {
        if (!Ports.answers(port)) {
            return false;
        }
        try (Connection connection = DriverManager.getConnection(jdbcUrl("postgres"), USER, password)) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }

    private List<String> command(String program, String... words) {
        List<String> command = new ArrayList<>(prefix);
        command.add(binaries.resolve("bin").resolve(program).toString());
        command.addAll(List.of(words));
        return command;
    }

    @Override
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stop() {
        process.stop();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void restart() {
        if (process.isAlive()) {
            process.stop();
        }
        launch();
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public Path log() {
        return folder.path("postgres.log");
    }

    @Override
    public CompletableFuture<Integer> onExit() {
        return process.onExit();
    }

    @Override
    public void startAgain() {
        process.kill();
        launch();
    }

    @Override
    public void close() {
        process.stop();
        folder.close();
    }

    @Override
    public void discard() {
        kill();
        folder.close();
    }
}
