package io.onbeat.verify.system;

import io.onbeat.ledger.Ledger;
import io.onbeat.ledger.LedgerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One Onbeat for one test class: a database, a virtual host, and the beats and workers that the test starts and kills. After
 * the class nothing of it is left but the logs, in target/system; a test that fails shows their ends.
 */
public final class Cluster implements BeforeAllCallback, AfterTestExecutionCallback, AfterAllCallback, AutoCloseable {
    public static final String NAMESPACE = "onbeat";

    private final Supplier<Servers> start;
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private Servers servers;
    private Ledger ledger;
    private Path folder;

    public Cluster() {
        this(Servers::shared);
    }

    public Cluster(Supplier<Servers> start) {
        this.start = start;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        open(context.getRequiredTestClass().getSimpleName());
    }

    /** Outside a test class: what {@link #beforeAll} does, with its logs under this name. */
    public void open(String name) throws IOException {
        folder = emptyFolder(name);
        servers = start.get();
        ledger = Ledger.open(new LedgerSettings(
                servers.database().jdbcUrl(),
                servers.database().user(),
                servers.database().password(),
                NAMESPACE,
                4));
        ledger.migrate();
        books().execute("""
                create schema verify;
                create table verify.execution (run_key text not null, attempt int not null, pid bigint not null);
                create table verify.effect (run_key text not null, attempt int not null);
                create table verify.held ();
                insert into verify.held default values;
                create table verify.broken (reason text);""");
        TaskFolder.fill(Files.createDirectory(folder.resolve("tasks")));
        schedules("schedules: {}");
    }

    private static Path emptyFolder(String name) throws IOException {
        Path folder = Processes.root().resolve("deploy/verify/target/system").resolve(name);
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                for (Path path : old.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(path);
                }
            }
        }
        return Files.createDirectories(folder);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            System.err.println("--- runs by state: "
                    + books().texts("select state || ' ' || count(*) from run group by state order by state"));
            books().texts("""
                            select concat_ws(' ', key, state, 'attempt', attempt, error_class, error_message)
                            from run where open or state = 'dead' order by id limit 20""").forEach(System.err::println);
            for (Node node : nodes) {
                System.err.println("--- the end of " + node.logFile() + "\n" + node.logTail());
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        try {
            nodes.parallelStream().filter(Node::isAlive).forEach(Node::kill9);
        } finally {
            if (ledger != null) {
                ledger.close();
            }
            if (servers != null) {
                servers.close();
            }
        }
    }

    public Books books() {
        return new Books(ledger);
    }

    public Console console() {
        return new Console(
                servers.management(), servers.vhost().name(), servers.vhost().amqpUrl());
    }

    public Servers servers() {
        return servers;
    }

    public Path folder() {
        return folder;
    }

    /** Puts the schedule file in place, in one step. */
    public Path schedules(String yaml) {
        Path file = folder.resolve("schedule.yaml");
        try {
            Path half = Files.writeString(folder.resolve("schedule.half"), yaml);
            return Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    public Node startBeat() {
        return startBeat(Map.of());
    }

    public Node startBeat(Map<String, String> settings) {
        Map<String, String> all = settings();
        all.putAll(Map.of(
                "ONBEAT_SCHEDULES", folder.resolve("schedule.yaml").toString(),
                "ONBEAT_LEASE", "3s",
                "ONBEAT_LEADER_LEASE", "3s",
                "ONBEAT_LEADER_RENEW", "500ms",
                "ONBEAT_HTTP_PORT", "0"));
        return start("beat", Processes.beatJar(), List.of("beat"), all, settings);
    }

    public Node startWorker() {
        return startWorker(Map.of());
    }

    public Node startWorker(Map<String, String> settings) {
        Map<String, String> all = settings();
        all.putAll(Map.of(
                "ONBEAT_TASKS_DIR", folder.resolve("tasks").toString(),
                "ONBEAT_QUEUES", "default:8",
                "ONBEAT_LEASE", "3s",
                "ONBEAT_LEASE_RENEW", "500ms",
                "ONBEAT_HTTP_PORT", "0"));
        return start("worker", Processes.workerJar(), List.of(), all, settings);
    }

    private synchronized Node start(
            String kind, Path jar, List<String> words, Map<String, String> all, Map<String, String> settings) {
        String name = kind + "-"
                + (1
                        + nodes.stream()
                                .filter(node -> node.name().startsWith(kind))
                                .count());
        all.put(kind.equals("beat") ? "ONBEAT_BEAT_ID" : "ONBEAT_WORKER_ID", name);
        all.putAll(settings);
        Node node = Processes.start(name, jar, words, all, folder);
        nodes.add(node);
        return node;
    }

    /** Runs one command of the command line to its end. */
    CommandLine.Answer onbeat(String... words) {
        return CommandLine.run(folder, settings(), words);
    }

    public Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("ONBEAT_DATABASE_URL", servers.database().jdbcUrl());
        settings.put("ONBEAT_DATABASE_USER", servers.database().user());
        settings.put("ONBEAT_DATABASE_PASSWORD", servers.database().password());
        settings.put("ONBEAT_AMQP_URL", servers.vhost().amqpUrl());
        return settings;
    }
}
