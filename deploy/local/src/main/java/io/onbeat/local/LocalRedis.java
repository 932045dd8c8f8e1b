package io.onbeat.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Redis of our own, for tests: the machine's program on a free port of the loopback, with a password. */
public final class LocalRedis implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private final DataFolder folder;
    private final int port;
    private final String password;
    private GuardedProcess process;

    private LocalRedis(DataFolder folder) {
        this.folder = folder;
        this.port = new Ports(folder.path("ports")).pick("redis", Optional.empty());
        this.password = folder.secret("password");
    }

    /** @throws ServiceFailure when Redis cannot be had on this machine, or does not start */
    public static LocalRedis start(Path dataFolder) {
        Path program = DebianPackages.program("redis-server", "redis-server");
        LocalRedis redis = new LocalRedis(DataFolder.open(dataFolder));
        redis.launch(program);
        return redis;
    }

    private void launch(Path program) {
        DataFolder.writePrivately(
                folder.path("redis.conf"),
                String.join(
                        "\n",
                        "bind 127.0.0.1",
                        "port " + port,
                        "requirepass " + password,
                        "save \"\"",
                        "maxmemory-policy noeviction",
                        "dir " + folder.path(),
                        ""),
                "rw-------");
        process = GuardedProcess.start(new GuardedProcess.Spec(
                "Redis",
                List.of(program.toString(), folder.path("redis.conf").toString()),
                Map.of("LC_ALL", "C"),
                folder.path("redis.log"),
                folder.path("pid"),
                "TERM",
                Duration.ofSeconds(5)));
        if (!Within.time(START_LIMIT, () -> Ports.answers(port) || !process.isAlive()) || !process.isAlive()) {
            throw new ServiceFailure("Redis did not start:\n" + process.logTail(20));
        }
    }

    /** Without the password. */
    public String url() {
        return "redis://127.0.0.1:" + port + "/0";
    }

    public String password() {
        return password;
    }

    @Override
    public void close() {
        process.stop();
        folder.close();
    }
}
