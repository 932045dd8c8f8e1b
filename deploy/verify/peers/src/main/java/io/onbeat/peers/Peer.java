package io.onbeat.peers;

import com.zaxxer.hikari.HikariDataSource;

/** A scheduler that Onbeat is measured beside. A round: prepare, enqueue the first jobs, start, enqueue the others, stop when all is {@link #settled}. */
interface Peer {
    /** For 2 cores: they mostly wait for PostgreSQL. db-scheduler's own benchmark has still more. */
    static int threads(String name) {
        return name.equals("db-scheduler") ? 50 : 16;
    }

    /** A class of its library, which tells the version. */
    Class<?> library();

    default void prepare() throws Exception {}

    /** Stores no-op jobs {@code from} to {@code to - 1}, due now. */
    void enqueue(int from, int to) throws Exception;

    void start() throws Exception;

    /** True when the database says that nothing is left to do: a job has ended when its end is stored. */
    boolean settled() throws Exception;

    void stop() throws Exception;

    static Peer of(String name, HikariDataSource database) throws Exception {
        int threads = threads(name);
        return switch (name) {
            case "db-scheduler" -> new DbSchedulerPeer(database, threads);
            case "jobrunr" -> new JobRunrPeer(database, threads);
            case "quartz" -> new QuartzPeer(database, threads);
            default -> throw new IllegalArgumentException("no peer '" + name + "': db-scheduler, jobrunr or quartz");
        };
    }
}
