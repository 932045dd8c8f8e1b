package io.onbeat.peers;

import com.zaxxer.hikari.HikariDataSource;

/** A scheduler that Onbeat is measured beside. A round: enqueue, start, wait until {@link #settled}, stop. */
interface Peer {
    /** Threads on 2 cores: they mostly wait for PostgreSQL. */
    int THREADS = 16;

    /** A class of its library, which tells the version. */
    Class<?> library();

    /** Stores no-op jobs 0 to {@code count - 1}, due now; none of them starts before {@link #start}. */
    void enqueue(int count) throws Exception;

    void start() throws Exception;

    /** True when the database says that nothing is left to do: a job has ended when its end is stored. */
    boolean settled() throws Exception;

    void stop() throws Exception;

    static Peer of(String name, HikariDataSource database) throws Exception {
        return switch (name) {
            case "db-scheduler" -> new DbSchedulerPeer(database);
            case "jobrunr" -> new JobRunrPeer(database);
            case "quartz" -> new QuartzPeer(database);
            default -> throw new IllegalArgumentException("no peer '" + name + "': db-scheduler, jobrunr or quartz");
        };
    }
}
