package io.onbeat.peers;

import com.zaxxer.hikari.HikariDataSource;

/** A scheduler that Onbeat is measured beside. A round: enqueue, start, wait until {@link #settled}, stop. */
interface Peer {
    /** For 2 cores: they mostly wait for PostgreSQL. db-scheduler's own benchmark has still more. */
    static int threads(String name) {
        return name.equals("db-scheduler") ? 50 : 16;
    }

    /** A class of its library, which tells the version. */
    Class<?> library();

    /** Stores no-op jobs 0 to {@code count - 1}, due now; none of them starts before {@link #start}. */
    void enqueue(int count) throws Exception;

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
